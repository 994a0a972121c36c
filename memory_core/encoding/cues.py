"""How people open what they want to be remembered, in English and in Chinese.

Each pattern is matched at the start of a clause, after what only opens it ("well,",
"其实"). The first that matches gives the category.
"""

import re

_I = re.IGNORECASE


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{one})" for one in patterns), _I)


COMMA = re.compile(r"[，]\s*|,\s+")
CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)

OPENER = re.compile(
    r"^\s*(?:(?:oh|ok|okay|hi|hello|hey|well|so|and|but|also|actually|btw|by the way"
    r"|anyway|sorry|no|yes|yeah|thanks|thank you)\b[,.!]?\s+"
    r"|(?:你好|您好|嗨|其实|对了|另外|还有|那个|嗯+|哦|啊|不过|但是|但|而且|所以"
    r"|顺便说一下"
    r"|顺便|好的|好吧|不是|是的)[，,！! ]*)+",
    _I,
)
OFF_THE_RECORD = _any(
    r"\b(?:do not|don't|please don't) (?:remember|save|store|record|keep) (?:this|that"
    r"|any of)\b",
    r"\boff the record\b",
    r"(?:别|不要|不用|请勿)(?:记住|记下|记录|保存|存)(?:这|本|下来|我说)",
)
ONLY_HERE = _any(
    r"\b(?:in|for|during) this (?:conversation|chat|session|thread)\b",
    r"\b(?:just|only) (?:this (?:once|time)|now|here)\b",
    r"(?:这次|本次|这回|当前)(?:对话|会话|聊天)",
    r"(?:就|只|仅)(?:这|此)(?:一)?次",
)
HYPOTHETICAL = _any(
    r"(?:if|suppose|imagine|let's say|what if)\b", r"如果|假如|假设|要是|万一"
)
ONLY_LEADS = _any(
    r"\s*(?:from now on|in (?:the )?future|going forward|this week|today|for now"
    r"|please remember|remember|以后|今后|从现在起|从今以后|这周|本周|今天|暂时|请记住"
    r"|记住"
    r"|请你记住|你要记住)\s*[:：]?\s*"
)
FOR_NOW = _any(
    r"\b(?:this (?:week|weekend|month|evening|afternoon|morning)|today|tonight|for now"
    r"|at the moment|temporarily|until (?:tomorrow|next)|these days|for the next)\b",
    r"这(?:周|个?星期|个?礼拜|几天|两天|阵子|段时间|个月)|本周|今天|今晚|暂时|目前先"
    r"|最近几天",
)
MAY_BE_TEMPORARY = {"preference", "constraint", "skill", "fact", "profile"}
OF_ONESELF = _any(r"\b(?:i|i'm|my|me|we|our)\b", r"我|俺|咱")

REMEMBER = _any(
    r"(?:please\s+)?(?:do\s+)?(?:remember|note|keep in mind|bear in mind|don't forget"
    r"|do not forget|make a note|take note|memori[sz]e)"
    r"(?:\s+(?:down|this|of this|for me))?\s*(?:[:：,]\s*|\s+that\s+|\s+(?=i\b|my\b"
    r"|we\b|our\b))",
    r"(?:请|请你|麻烦|麻烦你|帮我|你要|你|要)?(?:记住|记一下|记下来|记下|记着|记得"
    r"|别忘了|不要忘记|别忘记)"
    r"[，,：:]?\s*(?=我|咱|：|:|以后|[^，。]{2})",
)
FORGET = _any(
    r"(?:please\s+|can you\s+|you can\s+|i want you to\s+)?(?:forget|delete|erase"
    r"|remove)\s+"
    r"(?:about\s+|that\s+|what\s+|everything\s+|anything\s+|all\s+)?"
    r"(?:i\b|i've\b|my\b|me\b|we\b|our\b|the\s+(?:fact|thing|address|number|name)"
    r"|what\s+i|it\b.*\bsaid)",
    r"(?:请|请你|麻烦|麻烦你|帮我|你|你要)?(?:忘掉|忘记|忘了|删掉|删除|清除|抹掉)"
    r"(?:吧)?(?:所有|一切|关于|有关|掉)?"
    r"(?:我|之前|以前|刚才|刚刚|上次|关于|有关|咱们)",
)
FORGET_OBJECT = re.compile(
    r"(?:请|请你|麻烦|麻烦你|帮我|你)?把(?P<what>.{1,60}?)"
    r"(?:都|全|全部)?(?:给我)?(?:忘掉|忘了|忘记|删掉|删了|删除|清除|抹掉)(?:吧)?",
)

_ADVERB = (
    r"(?:really |also |still |absolutely |always |generally |usually |much |just |do )*"
)

STATEMENTS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("remember", REMEMBER),
    (
        "task",
        _any(
            r"(?:please\s+)?remind me\b",
            r"(?:please\s+)?remember to\b",
            r"i (?:need|have|must|ought) (?:to )?.{1,80}\b(?:by|before|until)\b",
            r"(?:my )?(?:to-?do|task)\s*[:：]",
            r"(?:请|记得|到时候|麻烦)?提醒我",
            r"(?:待办|任务)\s*[:：]",
            r"我(?:必须|得|要|需要)在.{1,30}(?:前|之前)",
        ),
    ),
    (
        "constraint",
        _any(
            r"i(?:'m| am) (?:severely |very |deathly )?allergic\b",
            r"i (?:can't|cannot|can not|must not|may not|mustn't) (?:eat|drink|have"
            r"|use|take"
            r"|tolerate|touch)\b",
            r"i (?:don't|do not|won't|will not|never) (?:want|need|use|eat|drink|take"
            r"|accept|touch)\b",
            r"(?:from now on|going forward|in (?:the )?future)\b",
            r"(?:please )?(?:never|don't ever|do not ever)\b",
            r"(?:please )?(?:don't|do not|stop) (?:use|using|suggest|suggesting"
            r"|recommend"
            r"|recommending|call|calling|send|sending|write|writing|include|including"
            r"|ask|asking"
            r"|give|giving|mention|mentioning|touch|push)\b",
            r"i (?:said|told you|already said)[,:]? (?:no|not|never|don't)\b",
            r"no (?:more )?[A-Za-z+#]+,? please\b",
            r"(?:以后|今后|从现在起|从今以后|从今天起)",
            r"(?:请|千万|绝对)?(?:永远)?(?:不要|别|禁止|不准|不许)(?:再|给|用|使用"
            r"|推荐|叫|发|写|提|问|安排|买|加|放)",
            r"(?:千万|绝对)(?:不能|不要|别)",
            r"我对.{1,20}(?:过敏|不耐受)",
            r"我(?:从来|一直|现在|已经)?(?:不|不能|不会|不想|不可以"
            r"|不准备)(?:再)?(?:吃|喝|用|碰|接受|要|写|做)",
            r"我(?:都)?说(?:过|了)(?:了)?(?:不|别|不要)",
        ),
    ),
    (
        "skill",
        _any(
            r"(?:please )?(?:always|when you|whenever you)\b",
            r"(?:please )?(?:answer|reply|respond|write|explain"
            r"|speak)(?: to me)? (?:in|with|using"
            r"|briefly|shortly)\b",
            r"(?:请|麻烦)?(?:一律|总是|每次都?|都)?用.{1,12}(?:回答|回复|写|说|讲解"
            r"|解释)",
            r"(?:请|麻烦)?(?:你)?(?:回答|回复|写代码|解释)(?:我)?(?:的)?(?:时候|时)",
        ),
    ),
    (
        "profile",
        _any(
            r"my (?:full |first |last |real )?name(?:'s| is)\b",
            r"(?:you can |please |just )?call me\b",
            r"i(?:'m| am) called\b",
            r"i(?:'m| am) (?:a|an|the) (?!bit|little|lot|fan)\w+",
            r"i(?:'m| am) \d{1,3}(?: years old)?\b",
            r"i(?:'m| am) from\b",
            r"i(?:'m| am) [A-Z][a-z]+(?:$|[.!])",
            r"i(?: currently| now)? (?:live|work|study|teach)\b",
            r"my (?:birthday|address|e-?mail|phone(?: number)?|number|job|hometown"
            r"|wife|husband"
            r"|partner|son|daughter|dog|cat|pet|age|company|team|role"
            r"|native language)\b",
            r"我(?:的)?(?:全名|真名|英文名|中文名|名字|姓名)?(?:叫做|叫)(?!你|他|她|它"
            r"|的)",
            r"我的(?:全名|真名|英文名|中文名|名字|姓名)是",
            r"(?:你)?(?:可以|就)?叫我(?!去|来|回|做|等|不)",
            r"我姓",
            r"我今年\d+",
            r"我(?:现在|目前|一直)?(?:住|来自|出生)",
            r"我(?:现在|目前)?在.{1,20}(?:工作|上班|上学|读书|读研|教书)",
            r"我(?:的)?(?:生日|地址|邮箱|电话|手机号?|职业|老家|妻子|丈夫|老公|老婆"
            r"|儿子|女儿|年龄"
            r"|公司|团队|母语|工作)(?:是|叫|在|为)",
            r"我是(?:一[名个位])?.{0,12}(?:师|员|生|工|人|者|家|医|长|总|手|士)$",
        ),
    ),
    (
        "preference",
        _any(
            rf"i {_ADVERB}(?:like|love|prefer|enjoy|adore|hate|dislike|detest)\b",
            r"i (?:can't stand|cannot stand|don't like|do not like|don't enjoy"
            r"|no longer like)\b",
            r"i(?:'d| would) rather\b",
            r"i(?:'m| am) (?:a (?:big )?fan of|into|not a fan of|fond of)\b",
            r"my (?:favou?rite|preferred)\b",
            r"我(?:个人|还是|一直|现在|真的|其实)*(?:最|很|更|比较|超|超级|非常|特别"
            r"|挺|不太|不怎么|不|也)*"
            r"(?:喜欢|喜爱|偏好|偏爱|热爱|讨厌|厌恶|爱吃|爱喝|爱看|爱听|爱用|反感"
            r"|受不了|习惯用|倾向于)",
            r"我的(?:最爱|偏好|口味)",
        ),
    ),
    (
        "fact",
        _any(
            r"(?:i|we)(?:'ve| have)?(?: just| recently| now| finally)? (?:moved"
            r"|switched|changed"
            r"|migrated|upgraded|decided|chose|adopted|bought|got married|quit"
            r"|joined)\b",
            r"(?:i|we) (?:no longer|don't .{1,40} any ?more)\b",
            r"(?:i|we) (?:currently |now |mostly |mainly )?use\b",
            r"our \w+(?: \w+){0,3} (?:is|are|has changed|changed)\b",
            r"(?:我|我们|咱们)(?:已经|刚|刚刚|最近|决定|现在)*(?:把.{1,20})?(?:换成"
            r"|换到|改成|改用|改为|搬到"
            r"|搬去|搬家|升级到|迁移到|决定|选了|买了|辞职|结婚|入职|养了|用的是"
            r"|主要用)",
            r".{0,12}(?:供应商|地址|电话|邮箱|公司|版本|方案|框架|数据库|技术栈|时间"
            r"|价格|预算|负责人|会议)"
            r"(?:已经|现在|也)?(?:换成|改成|改为|变成|换到|改到|是)",
        ),
    ),
    (
        "temporary",
        _any(
            r"(?:this (?:week|weekend|month)|these days|for now|until next \w+),? (?:i"
            r"|we)\b",
            r"(?:这(?:周|个?星期|个?礼拜|几天|两天|阵子|段时间|个月)|本周|暂时"
            r"|最近几天)我",
            r"我(?:这(?:周|个?星期|个?礼拜|几天|两天|阵子|段时间|个月)|本周|暂时"
            r"|最近几天)",
        ),
    ),
)
