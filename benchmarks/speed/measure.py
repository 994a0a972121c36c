"""The measurements on one filled service."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy as np

from benchmarks.speed import floors
from benchmarks.speed.clients import Call, Client, Taken, one_by_one, together
from benchmarks.speed.corpus import SeededEmbedder, Sentences, without_words
from benchmarks.speed.load import Population
from memory_core.models import EmbeddingModel, Namespace, Owner

QUERIES = 40
ROUNDS = 5
SECONDS = 8.0
SAVES = 200
CLIENTS = (1, 4, 16)
WORDS_OF_A_QUERY = 5
JUDGED = ("embedding", "screening", "lookup", "relation")
"""Stages of a save that are no storing: the last two are the duplicate decision."""


@dataclass(frozen=True)
class Bench:
    """A running service by its port, with a token, its owners, a bare connection."""

    port: int
    token: str
    namespace: str
    people: Population
    bare: "floors.psycopg.Connection[tuple[object, ...]]"

    def report(self) -> dict[str, object]:
        """Return everything that is measured, by name."""
        queries = Sentences(seed=9).take(QUERIES, words=WORDS_OF_A_QUERY)
        floor = self._floor(queries)
        recalls = self._recalls(queries)
        saves = self._saves()
        large = recalls["large"]
        return {
            "recall@10": {size: self._found(size, queries) for size in recalls},
            "recall": {**large, "by_owner": recalls},
            "floor": floor | {"raw_insert_ms": saves.pop("raw_insert_ms")},
            "save": saves,
            "throughput": self._throughput(queries),
        }

    def _owner(self, size: str) -> str:
        return {
            "small": self.people.small,
            "middle": self.people.middle,
            "large": self.people.large,
        }[size][0][0]

    def _keys(self, size: str) -> tuple[int, int, int]:
        return (
            Owner.objects.get(external_id=self._owner(size)).pk,
            EmbeddingModel.objects.get(name=SeededEmbedder.name).pk,
            Namespace.objects.get(name=self.namespace).pk,
        )

    def _floor(self, queries: Sequence[str]) -> dict[str, float]:
        vectors = SeededEmbedder().embed_queries(queries)
        raw = {
            size: round(floors.search_ms(self.bare, vectors, *self._keys(size)), 3)
            for size in ("small", "middle", "large")
        }
        calls = [Call("/v1/empty")] * (QUERIES * ROUNDS)
        empty = one_by_one(self.port, self.token, calls).summary()
        return {
            "raw_ms": raw["large"],
            "raw_small_ms": raw["small"],
            "raw_middle_ms": raw["middle"],
            "empty_view_ms": empty["p50_ms"],
        }

    def _recalls(self, queries: Sequence[str]) -> dict[str, dict[str, object]]:
        return {
            size: self._recall(size, queries) for size in ("small", "middle", "large")
        }

    def _recall(self, size: str, queries: Sequence[str]) -> dict[str, object]:
        with_words = self._timed([self._ask(size, query) for query in queries])
        alone = self._timed([self._ask(size, without_words(q)) for q in queries])
        return {
            **with_words.summary(),
            "stages_ms": with_words.stage_medians(),
            "vectors_only": alone.summary(),
        }

    def _timed(self, calls: list[Call]) -> Taken:
        one_by_one(self.port, self.token, calls * 2)
        return one_by_one(self.port, self.token, calls * ROUNDS)

    def _ask(self, size: str, query: str, **options: object) -> Call:
        body = {"owner_id": self._owner(size), "query": query, **options}
        return Call("/v1/memory/recall", body)

    def _found(self, size: str, queries: Sequence[str]) -> float:
        """Return the share of the true nearest ten among the answer's nearest ten.

        Asked for 100 by vectors alone, since the order of an answer comes from more
        than the cosine; an answer that is shorter than it could be counts as lost.
        """
        client = Client(self.port, self.token)
        owner, model, namespace = self._keys(size)
        shares = []
        for query in queries:
            body, _ = client.send(
                self._ask(size, without_words(query), top_k=100, explain=True)
            )
            hits = json.loads(body)["memories"]
            hits.sort(key=lambda hit: -(hit["explain"]["cosine"] or -1.0))
            vector = SeededEmbedder().embed_queries([query])[0]
            exact = floors.exact_nearest(self.bare, vector, owner, model, namespace)
            found = {hit["memory_id"] for hit in hits[: floors.NEAREST]}
            is_whole = len(hits) == min(100, self._rows(size))
            shares.append(len(exact & found) / len(exact) if is_whole else 0.0)
        return round(float(np.mean(shares)), 4)

    def _rows(self, size: str) -> int:
        return dict(self.people.all())[self._owner(size)]

    def _saves(self) -> dict[str, object]:
        bodies = self._drafts(SAVES + 20, seed=11)
        one_by_one(self.port, self.token, bodies[:20])
        ids, taken = self._saved(bodies[20:])
        net = [
            total - sum(stages.get(name, 0.0) for name in JUDGED)
            for total, stages in zip(taken.milliseconds, taken.stages, strict=True)
        ]
        return {
            **taken.summary(),
            "net_p50_ms": round(float(np.median(net)), 3),
            "stages_ms": taken.stage_medians(),
            "raw_insert_ms": round(floors.insert_ms(self.bare, ids), 3),
        }

    def _saved(self, calls: Sequence[Call]) -> tuple[list[UUID], Taken]:
        taken = one_by_one(self.port, self.token, calls)
        contents = [str(call.body["content"]) for call in calls if call.body]
        rows = self.bare.execute(
            "SELECT id FROM memory_core_memory WHERE content = ANY(%s)", [contents]
        ).fetchall()
        self.bare.commit()
        return [row[0] for row in rows], taken  # type: ignore[misc]

    def _drafts(self, count: int, *, seed: int) -> list[Call]:
        owners = self._by_rows(count, seed=seed)
        source = {"kind": "user_input", "name": "bench"}
        return [
            Call(
                "/v1/memory/save",
                {
                    "owner_id": owner,
                    "content": text,
                    "category": "fact",
                    "source": source,
                },
            )
            for owner, text in zip(owners, Sentences(seed).take(count), strict=True)
        ]

    def _by_rows(self, count: int, *, seed: int) -> list[str]:
        names = [name for name, _ in self.people.all()]
        rows = np.array([rows for _, rows in self.people.all()], dtype=np.float64)
        random = np.random.default_rng(seed)
        return [
            names[at] for at in random.choice(len(names), count, p=rows / rows.sum())
        ]

    def _throughput(self, queries: Sequence[str]) -> dict[str, object]:
        owners = self._by_rows(400, seed=13)
        recalls = [
            Call(
                "/v1/memory/recall", {"owner_id": owner, "query": queries[n % QUERIES]}
            )
            for n, owner in enumerate(owners)
        ]
        answer: dict[str, object] = {}
        saves: dict[str, object] = {}
        for clients in CLIENTS:
            answer[str(clients)] = self._load(recalls, clients)
            drafts = self._drafts(6_000, seed=100 + clients)
            saves[str(clients)] = self._load(drafts, clients)
        return {
            **{name: found["per_second"] for name, found in answer.items()},  # type: ignore[index]
            "recall": answer,
            "save": saves,
        }

    def _load(self, calls: Sequence[Call], clients: int) -> dict[str, float]:
        return together(
            self.port, self.token, calls, clients=clients, seconds=SECONDS
        ).summary()
