"""What kinds and levels of questions are called, on pages and on cards alike."""

KINDS_AND_LEVELS: dict[str, dict[str, str]] = {
    "ja": {
        "explain": "口頭で説明",
        "choice": "選択",
        "number": "数値計算",
        "expression": "数式",
        "code": "コード",
        "diagnose": "診断",
        "core": "定番",
        "advanced": "発展",
        "research": "研究",
    },
    "zh-Hant": {
        "explain": "口頭說明",
        "choice": "選擇題",
        "number": "數值題",
        "expression": "算式題",
        "code": "程式題",
        "diagnose": "診斷題",
        "core": "常考",
        "advanced": "進階",
        "research": "研究",
    },
}
