"""Traditional characters that occur in our rules, and the simplified ones that the rules are written in."""

from __future__ import annotations

import re

_TRADITIONAL = (
    "萬万與与醜丑業业東东絲丝丟丢兩两嚴严喪丧個个箇个為为爲为麗丽麼么麽么義义樂乐習习書书買买於于產产産产親亲從从祂他們们價价會会傷伤體体餘余妳你傾倾兒儿剋克黨党關关養养寫写農农沖冲衝冲決决凈净淨净準准減减"
    "幾几齣出劃划則则剛刚刪删別别彆别颳刮剎刹劑剂剝剥劇剧勸劝辦办務务動动勁劲醫医單单臥卧厤历曆历歷历壓压厭厌廚厨發发髮发變变疊叠隻只檯台臺台颱台號号喫吃閤合弔吊衕同後后嚮向曏向嚇吓嗎吗聽听啓启啟启獃呆員员"
    "嗚呜週周嘍喽迴回睏困國国圖图圓圆場场塊块堅坚墻墙牆墙聲声壺壶處处備备復复複复夠够頭头夾夹媽妈學学寧宁甯宁牠它寶宝實实傢家寬宽對对尋寻導导塵尘嘗尝嚐尝尷尴儘尽盡尽佈布師师帶带幫帮乾干幹干榦干並并併并倖幸"
    "廣广應应廢废開开棄弃張张強强歸归噹当當当徹彻憶忆誌志唸念總总戀恋惱恼懸悬驚惊懼惧懲惩慣惯願愿懶懒戲戏慼戚戶户纔才紮扎擾扰摺折搶抢報报擔担擇择掛挂換换據据蒐搜擺摆襬摆撐撑攢攒敵敌敎教斷断無无時时闇暗朮术"
    "術术機机殺杀雜杂權权條条來来盃杯鬆松闆板極极査查標标欄栏樣样橋桥夢梦檢检樓楼慾欲殘残毀毁燬毁譭毁氣气漢汉沒没氾泛汎泛潑泼遊游滿满瀕濒滅灭點点煉炼鍊炼煙烟菸烟煩烦燒烧燙烫熱热愛爱爺爷牽牵狀状獨独貓猫獻献"
    "翫玩現现電电畫画畵画療疗癥症眞真著着睜睁確确禮礼禱祷禍祸離离種种窩窝筆笔簡简類类餬糊係系繫系緊紧纍累約约紗纱縱纵紙纸紋纹綫线線线終终經经結结給给絡络絕绝絶绝繼继績绩緒绪續续繩绳緣缘纏缠縊缢縮缩網网罰罚"
    "羨羡職职膚肤脅胁脈脉腦脑脫脱臉脸膩腻緻致捨舍藝艺葯药藥药慮虑錶表見见規规覓觅覺觉計计認认討讨讓让記记講讲許许論论訪访訣诀評评詛诅識识訴诉試试話话該该語语誤误誘诱說说説说請请讀读課课誰谁談谈諧谐謂谓謝谢"
    "貝贝負负敗败費费資资贅赘趕赶躍跃車车軌轨轉转輕轻輩辈邊边達达過过運运還还這这進进遠远遲迟選选遞递遺遗鄰邻鬱郁痠酸釋释裏里裡里針针鍼针鐵铁鍋锅錯错鍛锻長长問问間间悶闷鬧闹閨闺聞闻閻阎隊队陽阳險险隱隐難难"
    "靜静麪面麫面麵面頂顶項项預预頻频顆颗風风飯饭餓饿饞馋馬马罵骂駡骂魚鱼鮮鲜鯊鲨齊齐龍龙"
    "證证診诊礙碍憂忧矯矫責责嬌娇雙双譜谱徵征閉闭創创驗验歲岁額额質质興兴測测讚赞濟济灣湾擁拥護护衛卫態态釀酿構构圍围軟软勵励獎奖層层專专執执註注冊册級级億亿夥伙祕秘輸输統统題题組组織织屬属憤愤誇夸優优觀观臟脏婦妇殭僵屍尸塗涂"
    "鴉鸦癲癫瘋疯癮瘾癱瘫蘇苏鎮镇環环鹽盐鋰锂貪贪適适顧顾"
    "舉举褻亵倉仓傘伞債债涼凉憑凭擊击區区華华賣卖佔占噴喷囑嘱園园壞坏殼壳墳坟壽寿寵宠島岛帥帅莊庄庫库異异惡恶懷怀託托"
    "掃扫攔拦撈捞撿捡數数暫暂槍枪櫃柜棟栋歡欢渾浑漲涨澆浇爐炉爛烂監监盤盘碼码糧粮紅红紐纽縫缝"
    "羣群腫肿膠胶裝装補补訂订訓训設设調调賬账購购賤贱貸贷賴赖贈赠蹤踪軀躯輪轮較较連连醬酱鐘钟鑰钥錢钱鑽钻銘铭銀银銷销"
    "鎖锁錘锤鏡镜陣阵隨随領领騷骚驟骤麥麦齒齿撲扑墊垫嬰婴羅罗罷罢濕湿蟲虫飛飞駕驾"
)
"""Pairs of a traditional character and the simplified one that the rules are written in."""
SIMPLIFIED = dict(zip(_TRADITIONAL[::2], _TRADITIONAL[1::2], strict=True))
CANTONESE = dict(zip("唔冇嘅咗喺攰佢哋嚟畀", "不没的了在累他们来给", strict=True))
"""Cantonese words of one character, and the Mandarin ones that the rules are written in."""
_COMMON = str.maketrans(SIMPLIFIED | CANTONESE | dict(zip("係喇啲㗎勿", "是了些的不", strict=True)))
_THANKS = re.compile("唔[该該]")


def in_common(text: str) -> str:
    """The same length, traditional characters and what is said in Cantonese, Wu or Sichuanese as the rules for yes and
    no are written. For comparing alone: a name stays as its owner writes it."""
    return _THANKS.sub("谢谢", text).replace("莫得", "没得").replace("呒没", "没有").translate(_COMMON)
