"""Frequent Japanese family names, and frequent English given names that are no places or products."""

# ruff: noqa: SIM905 - lists of words are read best as text

_KANJI = """
佐藤 鈴木 高橋 髙橋 田中 渡辺 渡邊 渡邉 渡部 伊藤 山本 中村 小林 加藤 吉田 山田 佐々木 山口 松本 井上 木村 林 斎藤 斉藤 齋藤 齊藤 清水 山崎 山﨑 阿部
森 池田 橋本 山下 石川 中島 中嶋 前田 藤田 小川 後藤 岡田 長谷川 村上 近藤 石井 坂本 遠藤 青木 藤井 西村 福田 太田 三浦 岡本 松田 中川 藤原 中野
原田 小野 田村 竹内 金子 和田 中山 石田 上田 森田 小島 柴田 原 宮崎 酒井 工藤 横山 宮本 内田 高木 安藤 谷口 大野 丸山 今井 高田 藤本 河野 武田
村田 上野 杉山 増田 平野 大塚 小山 千葉 久保 松井 岩崎 桜井 木下 野口 松尾 野村 菊地 菊池 佐野 大西 杉本 新井 古川 浜田 濱田 市川 水野 小松 島田
小沢 山内 吉川 矢野 西田 菅原 平田 川口 中田 五十嵐 本田 久保田 東 西川 北村 川崎 関 飯田 岩田 荒木 川村 安田 辻 吉村 樋口 永井 中西 服部 田口
荒井 須藤 沢田 大島 小池 馬場 松岡 浅野 野田 山中 三宅 大橋 黒田 堀 望月 石原 永田 熊谷 内藤 松村 秋山 川上 松浦 岡崎 横田 田島 奥村 大久保
福島 広瀬 土屋 本間 久保 片山 小西 吉岡 尾崎 岩本 石橋 早川 根本 上村 森本 成田 田辺 内山 大石 岡村 小田 荒川 堀内 川島 星野 小倉 松下 白井 伊東
関口 平井 児玉 南 大谷 今村 大川 大森 黒木 宮田 西山 福井 小野寺 浅井 武藤 高野 坂口 八木 三好 篠原 瀬戸 植田 三上 白石 澤田 牧野 河合 岸 杉浦
河村 西尾 神田 児島 榎本 高山 宮川 津田 川田 富田 奥田 長田 神谷 原口 川原 梅田 飯塚 北川 古賀 徳永 大山 高島 滝沢 稲垣 稲葉 天野 竹田 三輪 小泉
安達 下田 岩井 久野 平山 竹中 島崎 織田 藤川 藤村 町田 福岡 塚本 大竹 田代 川端 小笠原 相馬 沼田 野崎 真田 水谷 堤 榊原 細川 堀田 戸田 石塚 梶原 山根
中井 中尾 角田 桑原 栗原 江口 鎌田 比嘉 金城 大城 宮城 新垣 玉城 上原 島袋 平良 知念 鬼塚 有馬 宇野 永野 塩田 飯島 寺田 柳田 柳沢 若林 笠原 松永 本多
谷川 向井 村山 中原 吉野 吉原 西岡 平松 佐久間 青山 今野 富永 黒川 志村 高瀬 高松 長尾 長野 長島 大田 大場 大沢 大澤 須田 田原 泉 松原 二宮 三田 米田
"""
_KANA = """
サトウ スズキ タカハシ タナカ ワタナベ イトウ ヤマモト ナカムラ コバヤシ カトウ ヨシダ ヤマダ ササキ ヤマグチ マツモト イノウエ キムラ ハヤシ サイトウ シミズ ヤマザキ アベ
モリ イケダ ハシモト ヤマシタ イシカワ ナカジマ マエダ フジタ オガワ ゴトウ オカダ ハセガワ ムラカミ コンドウ イシイ サカモト エンドウ アオキ フジイ ニシムラ フクダ オオタ
ミウラ オカモト マツダ ナカガワ フジワラ ナカノ ハラダ オノ タムラ タケウチ カネコ ワダ ナカヤマ イシダ ウエダ モリタ コジマ シバタ ミヤザキ サカイ クドウ ヨコヤマ ミヤモト
"""
_GIVEN = """
James John Robert Michael David William Richard Joseph Thomas Charles Christopher Daniel Matthew Anthony Donald Steven Paul Andrew Joshua Kenneth
Kevin Brian George Edward Ronald Timothy Jason Jeffrey Ryan Jacob Gary Nicholas Eric Jonathan Stephen Larry Justin Scott Brandon Benjamin Samuel
Gregory Alexander Patrick Raymond Jack Dennis Jerry Tyler Aaron Jose Adam Nathan Henry Zachary Douglas Peter Kyle Noah Ethan Jeremy Walter Keith
Christian Roger Terry Sean Gerald Carl Harold Dylan Arthur Lawrence Jesse Bryan Joe Billy Bruce Gabriel Logan Alan Juan Albert Willie Elijah
Wayne Randy Vincent Mason Roy Ralph Bobby Russell Bradley Philip Eugene Luis Carlos Miguel Antonio Diego Javier Fernando Ahmed Mohammed Muhammad
Ali Omar Hassan Raj Amit Anil Sanjay Arjun Ravi Wei Ming Hiroshi Kenji Takeshi Ivan Dmitri Sergei Vladimir Hans Klaus Jurgen Pierre Jean
Liam Oliver Oscar Leo Max Simon Martin Graham Stuart Nigel Colin Derek Gareth Owen Rhys Hugo Felix Marcus Tobias Stefan Lars Sven Erik Mateo
Mary Patricia Jennifer Linda Elizabeth Barbara Susan Jessica Sarah Karen Lisa Nancy Betty Sandra Margaret Ashley Kimberly Emily Donna Michelle
Carol Amanda Melissa Deborah Stephanie Rebecca Sharon Laura Cynthia Dorothy Amy Kathleen Angela Shirley Emma Brenda Pamela Nicole Anna Samantha
Katherine Christine Debra Rachel Carolyn Janet Maria Olivia Heather Helen Catherine Diane Julie Joyce Victoria Ruth Kelly Lauren Christina Joan Evelyn
Judith Andrea Hannah Megan Cheryl Jacqueline Martha Madison Teresa Gloria Sara Janice Ann Kathryn Abigail Sophia Frances Jean Alice Judy
Isabella Julia Grace Denise Amber Marilyn Beverly Danielle Theresa Sophie Marie Diana Brittany Natalie Isabel Charlotte Rose Alexis Kayla Lucy
Chloe Zoe Mia Ella Claire Fiona Gemma Imogen Nina Priya Anita Sunita Divya Deepa Lakshmi Aisha Fatima Leila Yasmin Layla Mei Yuki Yuko Akiko
Elena Ana Carmen Lucia Sofia Valentina Camila Ingrid Astrid Greta Heidi Monika Katarina Olga Tatiana Svetlana Natasha Irina Agnes Beatrice
Jane Ellen Tracy Wendy Holly Molly Katie Kate Jill Tina Gina Rita Rosa Irene Vera Nora Hazel Edith Phoebe Greg Mike Dave Steve Chris Tom Bob
Jim Tim Ken Dan Ben Sam Matt Nick Rob Jeff Tony Alex Andy Doug Phil Ted Fred Ron Don Jon Josh Zach Jake Luke Liz Beth Meg Sue Pam Deb Becky
"""
FAMILY_NAMES = frozenset(_KANJI.split())
FAMILY_KANA = frozenset(_KANA.split())
GIVEN_NAMES = frozenset(_GIVEN.split()) - frozenset(
    "Madison Victoria Charlotte Grace Rose Amber Max Alexis Jack Mason Logan Christian Jean Ming Mei Ali Joe Don Leo Oscar Martin Hugo Rosa Vera".split()
)
