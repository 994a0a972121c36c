from django.db import models

from memory_core.contracts.enums import Status


class MemoryTerm(models.Model):
    """One posting: how often a term stands in a memory of `len` terms.

    The primary key starts with the owner and includes the rest, so that BM25 within
    one owner, and the erasure of one, each read one range of one index. No foreign
    keys: a save writes some thirty of these, and only `saving` and the erasers do.
    """

    pk = models.CompositePrimaryKey("owner_id", "term", "memory_id")
    owner_id = models.BigIntegerField()
    term = models.CharField(max_length=64)
    memory_id = models.UUIDField(db_index=True)
    namespace_id = models.BigIntegerField()
    status = models.SmallIntegerField(choices=Status)
    tf = models.SmallIntegerField()
    len = models.IntegerField()

    def __str__(self) -> str:
        return f"posting of {self.memory_id}"


class Corpus(models.Model):
    """How many memories an owner has in a namespace, and their terms in total."""

    pk = models.CompositePrimaryKey("owner_id", "namespace_id")
    owner_id = models.BigIntegerField()
    namespace_id = models.BigIntegerField()
    memories = models.IntegerField(default=0)
    length = models.BigIntegerField(default=0)

    class Meta:
        verbose_name_plural = "corpora"

    def __str__(self) -> str:
        return f"{self.owner_id} in {self.namespace_id}"
