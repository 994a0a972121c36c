"""The quality benchmark, on a service of its own and a handful of memories."""

import json
from pathlib import Path

import pytest

from benchmarks.quality.__main__ import main
from benchmarks.quality.bars import bars_of

MEMORIES = [
    ("2024-05-01", "我上周搬到了杭州，住在西湖边上。"),
    ("2024-05-01", "我的女儿今年六岁，喜欢恐龙。"),
    ("2024-05-03", "昨天我把自行车送去修了。"),
    ("2024-05-04", "公司下个月要换办公楼。"),
]
QUERIES = [("我住在哪里？", 0), ("孩子喜欢什么动物？", 1)]
PAIRS = [
    ("我喜欢蓝色", "我偏爱蓝色", "duplicate"),
    ("我现在用的是安卓手机", "我已经换成苹果手机了", "update"),
    ("我每天喝两杯咖啡", "我妹妹在上海读大学", "distinct"),
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with one labelled store of one owner, and three labelled pairs."""
    store, pairs = tmp_path / "recall" / "small", tmp_path / "pairs"
    store.mkdir(parents=True)
    pairs.mkdir()
    same = {"conv": "林", "speaker": "林"}
    _write(
        store / "memories.jsonl",
        [
            same | {"mem_id": f"m{n}", "timestamp": day, "order": n, "text": text}
            for n, (day, text) in enumerate(MEMORIES)
        ],
    )
    _write(
        store / "queries.jsonl",
        [{"conv": "林", "query": q, "gold": [f"m{gold}"]} for q, gold in QUERIES],
    )
    _write(
        pairs / "dev.jsonl",
        [{"a": a, "b": b, "lang": "zh", "relation": r} for a, b, r in PAIRS],
    )
    return tmp_path


def _write(file: Path, rows: list[dict[str, object]]) -> None:
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    file.write_text("\n".join(lines), encoding="utf-8")


@pytest.mark.server
def test_a_quick_run_measures_a_service_of_its_own(data: Path) -> None:
    file = data / "report.json"

    main(["--data", str(data), "--out", str(file), "--quick"])

    report = json.loads(file.read_text(encoding="utf-8"))
    small = report["recall"]["small"]
    assert small["became"] == {"active": len(MEMORIES)}
    assert small["queries"] == len(QUERIES)
    assert small["service"]["recall@5"] == small["bm25"]["recall@5"] == 1.0
    inserted = report["insertion"]["zh"]
    assert inserted["pairs"] == {"distinct": 1, "changes": 1, "rewordings": 1}
    assert inserted["both_come_back"] == inserted["only_the_new"] == 1.0
    assert inserted["false_duplicates"] == inserted["false_supersedes"] == 0.0
    assert report["variants"]["exact"] == 1.0
    assert report["stages"]["save"]["embedding"] > 0
    assert report["stages"]["recall"]["whole"] > 0
    assert {bar["name"] for bar in report["bars"]} >= {"zh merged", "exact variants"}


def test_a_figure_below_its_bar_is_not_met() -> None:
    figures = {"recall@5": 0.98, "recall@10": 0.98}
    store = {
        "service": figures,
        "bm25": {"recall@5": 0.9},
        "cosine": {"recall@5": 0.97},
    }

    bars = {bar.name: bar for bar in bars_of({"recall": {"memorybank_zh": store}})}

    assert bars["memorybank_zh recall@5"].is_met
    assert not bars["memorybank_zh recall@10"].is_met
    assert not bars["memorybank_zh recall@5 ahead"].is_met


def test_a_figure_above_its_greatest_is_not_met() -> None:
    shares = {"only_the_new": 1, "both_come_back": 1, "merged": 1}
    harm = {"false_duplicates": 0.031, "false_supersedes": 0.03}

    bars = bars_of({"insertion": {"en": shares | harm}})

    assert [bar.name for bar in bars if not bar.is_met] == ["en false_duplicates"]


def test_a_folder_without_data_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="neither labelled stores nor pairs"):
        main(["--data", str(tmp_path)])
