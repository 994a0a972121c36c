"""A LangGraph graph whose long-term store is a Mneme store."""

import os

from langgraph.graph import START, MessagesState, StateGraph
from langgraph.runtime import Runtime

import mneme
from mneme.adapters.langgraph import MnemeStore

NOTES = ("notes", "user-42")


def note(state: MessagesState, runtime: Runtime) -> dict[str, list[str]]:
    """Keep the newest message and answer with the notes that resemble it."""
    text = str(state["messages"][-1].text)
    known = runtime.store.search(NOTES, query=text, limit=3)
    runtime.store.put(NOTES, str(len(text)), {"text": text})
    return {"messages": [f"known: {[item.value['text'] for item in known]}"]}


with mneme.open(os.environ["MNEME_STORE"]) as memory:
    # The second label of a namespace says whose memories these are.
    store = MnemeStore(memory, lambda namespace: namespace[1])
    builder = StateGraph(MessagesState)
    builder.add_node("note", note)
    builder.add_edge(START, "note")
    graph = builder.compile(store=store)
    for text in ("我喜欢蓝色", "蓝色的衬衫"):
        result = graph.invoke({"messages": [("user", text)]})
        print(result["messages"][-1].text)
