"""One model a file; this page names them all."""

from memory_core.models.agent import Agent, Grant
from memory_core.models.audit import AuditEntry, AuditSeal
from memory_core.models.category import Category, CategoryOverride, CategoryVersion
from memory_core.models.closed_session import ClosedSession
from memory_core.models.copy import ColdWrite, Copy
from memory_core.models.erasure import ErasedMemory, ErasurePass, ErasureRun
from memory_core.models.first_approval import FirstApproval
from memory_core.models.flush import FlushMark
from memory_core.models.idempotency import IdempotencyRecord
from memory_core.models.job import Job
from memory_core.models.memory import Memory, MemoryVersion
from memory_core.models.namespace import Namespace
from memory_core.models.owner import Owner
from memory_core.models.ranking import RankingProfile
from memory_core.models.raw_turns import RawTurns
from memory_core.models.recall import Feedback, RecallEvent, RecallSample
from memory_core.models.source import Source
from memory_core.models.term import Corpus, MemoryTerm
from memory_core.models.token import Token
from memory_core.models.tombstone import LegalHold, Tombstone
from memory_core.models.use import MemoryUse
from memory_core.models.vector import EmbeddingModel, MemoryVector
from memory_core.models.writer_block import WriterBlock

__all__ = [
    "Agent",
    "AuditEntry",
    "AuditSeal",
    "Category",
    "CategoryOverride",
    "CategoryVersion",
    "ClosedSession",
    "ColdWrite",
    "Copy",
    "Corpus",
    "EmbeddingModel",
    "ErasedMemory",
    "ErasurePass",
    "ErasureRun",
    "Feedback",
    "FirstApproval",
    "FlushMark",
    "Grant",
    "IdempotencyRecord",
    "Job",
    "LegalHold",
    "Memory",
    "MemoryTerm",
    "MemoryUse",
    "MemoryVector",
    "MemoryVersion",
    "Namespace",
    "Owner",
    "RankingProfile",
    "RawTurns",
    "RecallEvent",
    "RecallSample",
    "Source",
    "Token",
    "Tombstone",
    "WriterBlock",
]
