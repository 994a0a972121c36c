"""The knowledge-graph tools, under the names of the protocol's memory server."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from mcp.server import MCPServer

from mneme.graph import GraphStore
from mneme.mcp.shapes import (
    AddedObservations,
    Entity,
    GoneObservations,
    KnowledgeGraph,
    NewObservations,
    Relation,
)


def add_graph_tools(
    server: MCPServer[Any], graph: GraphStore, wrap: Callable[..., Any]
) -> None:
    """Give the server the nine tools over this graph."""
    tools = GraphTools(graph)
    for verb in (
        tools.create_entities,
        tools.create_relations,
        tools.add_observations,
        tools.delete_entities,
        tools.delete_observations,
        tools.delete_relations,
        tools.read_graph,
        tools.search_nodes,
        tools.open_nodes,
    ):
        server.add_tool(wrap(verb))


class GraphTools:
    """The nine tools; their docstrings are what the model reads."""

    def __init__(self, graph: GraphStore) -> None:
        self._graph = graph

    def create_entities(self, entities: list[Entity]) -> list[Entity]:
        """Add entities with observations; returns those that did not exist."""
        return cast(list[Entity], self._graph.create_entities(_dicts(entities)))

    def create_relations(self, relations: list[Relation]) -> list[Relation]:
        """Add relations between entities, in active voice; returns the new ones."""
        return cast(list[Relation], self._graph.create_relations(_dicts(relations)))

    def add_observations(
        self, observations: list[NewObservations]
    ) -> list[AddedObservations]:
        """Add observations to entities that exist; returns the new ones."""
        return [
            {
                "entityName": one["entityName"],
                "addedObservations": self._graph.add_observations(
                    one["entityName"], one["contents"]
                ),
            }
            for one in observations
        ]

    def delete_entities(self, entityNames: list[str]) -> str:
        """Delete entities with their observations and relations."""
        self._graph.delete_entities(entityNames)
        return "deleted"

    def delete_observations(self, deletions: list[GoneObservations]) -> str:
        """Delete observations from entities."""
        for one in deletions:
            self._graph.delete_observations(one["entityName"], one["observations"])
        return "deleted"

    def delete_relations(self, relations: list[Relation]) -> str:
        """Delete relations."""
        self._graph.delete_relations(_dicts(relations))
        return "deleted"

    def read_graph(self) -> KnowledgeGraph:
        """Return all entities and relations."""
        return cast(KnowledgeGraph, self._graph.read())

    def search_nodes(self, query: str) -> KnowledgeGraph:
        """Search names, types and observations; returns the entities found."""
        return cast(KnowledgeGraph, self._graph.search(query))

    def open_nodes(self, names: list[str]) -> KnowledgeGraph:
        """Return entities by name; names that do not exist are left out."""
        return cast(KnowledgeGraph, self._graph.open(names))


def _dicts(shapes: Any) -> list[dict[str, Any]]:
    return [dict(shape) for shape in shapes]
