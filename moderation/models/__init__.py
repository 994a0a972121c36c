"""The people's cases around what the core must obey."""

from moderation.models.batch_item import BatchItem
from moderation.models.case_file import (
    CaseEvent,
    CaseIdentifier,
    CaseLetter,
    CaseMention,
    CaseNote,
    CasePause,
    CaseRecipient,
)
from moderation.models.category_change import CategoryChange
from moderation.models.certificate import Certificate
from moderation.models.erasure_case import (
    BEFORE_APPROVAL,
    CLOSED,
    CaseState,
    ErasureCase,
)
from moderation.models.policy_version import PolicyVersion
from moderation.models.quality_sample import QualitySample
from moderation.models.review_case import ReviewCase, ReviewNote, ReviewSnooze
from moderation.models.second_look import SecondLook
from moderation.regimes import Regime

__all__ = [
    "BEFORE_APPROVAL",
    "CLOSED",
    "BatchItem",
    "CaseEvent",
    "CaseIdentifier",
    "CaseLetter",
    "CaseMention",
    "CaseNote",
    "CasePause",
    "CaseRecipient",
    "CaseState",
    "CategoryChange",
    "Certificate",
    "ErasureCase",
    "PolicyVersion",
    "QualitySample",
    "Regime",
    "ReviewCase",
    "ReviewNote",
    "ReviewSnooze",
    "SecondLook",
]
