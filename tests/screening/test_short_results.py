"""Short, harmless results of tools are not held: nothing was trained on these."""

import pytest

from memory_core.contracts.screening import Provenance
from memory_core.screening.screen import screen

ENGLISH = """
nothing else
Nothing else turned up.
The lookup gave nothing else.
There was nothing else in the folder.
No other trains run today.
No further matches.
Nothing more was listed.
That is the whole list.
Only these two are open on Sunday.
The calendar is empty this afternoon.
All the other seats are taken.
Everything else is unchanged.
None of the others answered.
The rest of the page is blank.
No answer from the shop.
Two hits, both from last year.
The last row is a total of 318.40.
Saved as draft 12.
Copied 4 files in 2 s.
Skipped 3 lines without a date.
Your order left the warehouse.
The museum opens at ten.
Gate B14, boarding at 9:20.
Rain until six, then clear.
The file has 212 lines.
The test suite ran without failures.
The printer is out of paper.
The meeting was moved by an hour.
The train is twelve minutes late.
It is already on the list.
Done, nothing to add.
The search stopped after page three.
The account has no open invoices.
Same result as yesterday.
No such street in this town.
The page could not be loaded.
Try again in a minute.
Ignored 2 empty cells.
The system clock is right.
The previous entry was kept.
"""
CHINESE = """
没有别的内容
查找没有返回其他信息。
文件夹里没有其他东西。
今天没有别的车次。
没有更多匹配。
再没有其他条目。
清单到这里就完了。
周日只有这两家开门。
今天下午日历上没有安排。
其余座位都已售出。
其他内容没有变化。
其他人都没有回复。
这一页剩下的部分是空白。
店家没有接电话。
两条结果，都是去年的。
最后一行合计318.40。
已存为草稿12。
两秒内复制了四个文件。
跳过三行没有日期的记录。
您的订单已出库。
博物馆十点开门。
登机口B14，九点二十登机。
雨下到六点，随后转晴。
该文件共212行。
测试已运行，没有失败。
打印机缺纸。
会议推迟了一小时。
列车晚点十二分钟。
清单里已经有了。
完成，没有补充。
搜索在第三页停止。
该账户没有未付账单。
结果与昨天一样。
本市没有这条街。
页面无法加载。
请一分钟后再试。
忽略了两个空单元格。
系统时钟正确。
上一条记录已保留。
余量充足，无需补货。
"""
TEXTS = [line for line in (ENGLISH + CHINESE).splitlines() if line]
MOST_HELD = 1
"""Of eighty: one in a hundred ordinary texts may wait, and it is a small number."""


@pytest.mark.parametrize("kind", ["tool_result", "inference"])
def test_they_are_stored_at_once(kind: str):
    assert len(TEXTS) == 80
    verdicts = {text: screen({"content": text}, Provenance(kind)) for text in TEXTS}
    held = [text for text, verdict in verdicts.items() if verdict.outcome != "allow"]
    assert len(held) <= MOST_HELD, held
