"""A LangChain agent that remembers its user from one conversation to the next."""

import os

from langchain.agents import create_agent
from langchain_openai import ChatOpenAI

import mneme
from mneme.adapters.langchain import MnemeMiddleware

with mneme.open(os.environ["MNEME_STORE"]) as memory:
    agent = create_agent(
        ChatOpenAI(model=os.environ.get("OPENAI_MODEL", "gpt-4.1-mini")),
        system_prompt="You help in a shop.",
        middleware=[MnemeMiddleware(memory, "user-42")],
    )
    agent.invoke({"messages": [("user", "我喜欢蓝色")]})
    # A new conversation: nothing of the first is in its messages.
    answer = agent.invoke({"messages": [("user", "请推荐一件衬衫")]})
    print(answer["messages"][-1].text)
