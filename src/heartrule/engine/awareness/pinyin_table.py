"""The syllables in which people write about dying with letters, and the words they make."""

from __future__ import annotations

_WORDS = (
    "wo 我 xiang 想 si 死 bu 不 huo 活 le 了 zhe 着 mei 没 you 有 zhen 真 de 的 hao 好 hen 很 tai 太 lei 累 "
    "zai 再 qu 去 jiu 就 yao 要 ba 吧 hui 会 zhi 只 neng 能 dou 都 ye 也 xian 现 jin 今 wan 晚 xie 写 yi 一 "
    "ge 割 tiao 跳 diao 吊 du 毒 yue 约 shu 书 xia 下 dao 刀 he 喝 chi 吃 tun 吞 hua 划 ne 呢 ma 吗 a 啊 "
    "xiang_si 想死 qu_si 去死 si_le 死了 suan_le 算了 yi_si 意思 yi_yi 意义 yi_shu 遗书 zi_sha 自杀 zi_can 自残 "
    "zi_shang 自伤 zi_ji 自己 huo_zhe 活着 huo_xia_qu 活下去 huo_bu_xia_qu 活不下去 bu_xia_qu 不下去 "
    "tiao_lou 跳楼 tiao_he 跳河 tiao_jiang 跳江 ge_wan 割腕 ge_shou 割手 shang_diao 上吊 an_mian_yao 安眠药 "
    "chi_yao 吃药 qing_sheng 轻生 jie_shu 结束 sheng_ming 生命 shi_jie 世界 li_kai 离开 xiao_shi 消失 "
    "jie_tuo 解脱 jue_wang 绝望 xie_hao 写好 mei_tian 每天 yi_jing 已经 nian_tou 念头 mei_you 没有 zhe_ge 这个 "
    "xing_lai 醒来 sheng_bu_ru_si 生不如死 huo_gou 活够 huo_ni 活腻 cheng_bu_xia_qu 撑不下去 cheng_bu_zhu 撑不住 "
    "xian_zai 现在 jin_wan 今晚 zhen_de 真的 hao_xiang 好想 xiang_yao 想要 zai_jian 再见 wu_ming 无名 "
    "ren_sheng 人生 tong_ku 痛苦 shou_wan 手腕 shang_hai 伤害 hua_shou 划手"
)
PHRASES = {tuple(word.split("_")): signs for word, signs in zip(_WORDS.split()[::2], _WORDS.split()[1::2], strict=True)}
"""Words by their syllables; every syllable is one character."""
SYLLABLES = frozenset(syllable for word in PHRASES for syllable in word)
GRAVE = (
    "死",
    "活",
    "自杀",
    "自残",
    "自伤",
    "遗书",
    "跳楼",
    "跳河",
    "跳江",
    "割",
    "上吊",
    "安眠药",
    "轻生",
    "离开",
    "消失",
    "解脱",
    "绝望",
    "结束",
    "撑不",
    "伤害",
)
"""Letters are read as Chinese only where one of these comes out; all else stays as it was written."""
ALONE = {
    "xiang": "想",
    "si": "死",
    "huo": "活",
    "sha": "杀",
    "shu": "书",
    "mei": "没",
    "tiao": "跳",
    "lou": "楼",
    "zisha": "自杀",
    "zican": "自残",
    "xiangsi": "想死",
    "yishu": "遗书",
}
"""Letters within Chinese."""
