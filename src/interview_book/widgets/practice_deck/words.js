/* Every word of the deck around its cards, each language composed on its own: [ja, zh-Hant]. The cards' are in words_cards.js. */

import { between, parts } from "./days.js";

const WEEK = ["日月火水木金土", "日一二三四五六"];
const date = at => day => (({ month, date, weekday }) => `${month} 月 ${date} 日（${WEEK[at][weekday]}）`)(parts(day));
const near = [["今日", "明日", "あさって"], ["今天", "明天", "後天"]];
const when = at => (day, today) => near[at][between(today, day)] ?? date(at)(day);
const hours = (n, hour, minute) => (n < 90 ? `${n} ${minute}` : [`${Math.floor(n / 60)} ${hour}`, n % 60 && `${n % 60} ${minute}`].filter(Boolean).join(" "));
const time = [n => hours(Math.round(n), "時間", "分"), n => hours(Math.round(n), "小時", "分鐘")];
const thousands = n => String(n).replace(/\B(?=(\d{3})+$)/g, ",");

const TABLE = {
  // numbers and days
  when: [when(0), when(1)],
  time,
  count: [n => `${thousands(n)} 問`, n => `${thousands(n)} 題`],
  weekdays: [[..."月火水木金土日"], [..."一二三四五六日"]],
  all: ["すべて", "全部"],

  // kinds, levels, frequencies, roles, languages
  kinds: [
    { explain: "口頭で説明", grade: "回答の採点", choice: "選択", number: "数値計算", expression: "数式", code: "コード", diagnose: "診断" },
    { explain: "口頭說明", grade: "替回答評分", choice: "選擇題", number: "數值題", expression: "算式題", code: "程式題", diagnose: "診斷題" },
  ],
  levels: [{ core: "定番", advanced: "発展", research: "研究" }, { core: "常考", advanced: "進階", research: "研究" }],
  frequencies: [{ common: "よく聞かれる", occasional: "ときどき聞かれる", rare: "まれに聞かれる" }, { common: "常被問到", occasional: "偶爾被問到", rare: "很少被問到" }],
  roles: [
    { research: "研究", "ml-engineer": "機械学習エンジニア", inference: "推論基盤", application: "応用開発" },
    { research: "研究", "ml-engineer": "機器學習工程師", inference: "推論平台", application: "應用開發" },
  ],
  languages: [{ ja: "日本語", "zh-Hant": "中国語", en: "英語" }, { ja: "日文", "zh-Hant": "中文", en: "英文" }],
  grades: [["もう一度", "難しい", "正解", "簡単"], ["重來", "困難", "良好", "簡單"]],

  // today
  today: [(n, m) => `今日は ${n} 問、約 ${time[0](m)}`, (n, m) => `今天 ${n} 題，約 ${time[1](m)}`],
  remaining: [(n, m) => `今日はあと ${n} 問、約 ${time[0](m)}`, (n, m) => `今天還有 ${n} 題，約 ${time[1](m)}`],
  mix: [
    (due, fresh) => (due && fresh ? `復習が ${due} 問、新しい問題が ${fresh} 問です。` : due ? `復習が ${due} 問です。` : `新しい問題が ${fresh} 問です。`),
    (due, fresh) => (due && fresh ? `複習 ${due} 題，新題目 ${fresh} 題。` : due ? `複習 ${due} 題。` : `新題目 ${fresh} 題。`),
  ],
  aloudFirst: ["口頭の問題は、声に出して答えましょう。", "遇到口頭題，請開口回答。"],
  silentFirst: ["まず一問目を読み、声は出さずに答えましょう。", "先讀第一題，不出聲作答就好。"],
  start: [n => `今日の ${n} 問を始める`, n => `開始今天的 ${n} 題`],
  goOn: [n => `残りの ${n} 問を続ける`, n => `繼續剩下的 ${n} 題`],
  silent: ["声を出さずに練習する（読む・選ぶ・計算するだけ）", "不出聲練習（只要讀、選、算）"],
  doneToday: ["今日の分は終わりました", "今天的練習做完了"],
  nothingDue: ["今日、復習する問題はありません", "今天沒有要複習的題目"],
  pathOver: [name => `「${name}」の問題は、すべて終わりました`, name => `「${name}」的題目全部做完了`],
  pathOverNote: ["今日はもう休んで大丈夫です。続けるなら、別の期間か、好きな問題を選んでください。", "今天可以好好休息了。想繼續的話，可以換一個期限，或是自己挑題目。"],
  nextDay: [
    (day, today, n, m) => `次は${when(0)(day, today).replace(/^(?=\d)/, " ")}、${n} 問（約 ${time[0](m)}）です。`,
    (day, today, n, m) => `下次複習是${when(1)(day, today).replace(/^(?=\d)/, " ")}，${n} 題（約 ${time[1](m)}）。`,
  ],
  didToday: [(n, m) => `今日は${n > 1 ? "延べ" : ""} ${n} 問に答えました（約 ${time[0](m)}）。`, (n, m) => `今天作答 ${n} 次（約 ${time[1](m)}）。`],
  nothingAhead: ["これから 14 日のあいだに、復習の予定はありません。", "接下來 14 天沒有排定的複習。"],
  chooseFreely: ["好きな問題を選ぶ", "自己挑題目"],
  emptyBank: ["出せる問題がまだありません", "目前還沒有題目可以練"],
  emptySilent: ["声を出さずに答えられる問題は、今日はありません", "今天沒有不用出聲的題目"],
  emptySilentNote: ["声を出せるようになったら、下の「声を出さずに練習する」の印を外してください。", "等方便出聲了，再取消下面「不出聲練習」的勾選。"],

  // after an absence, or more than a day holds
  welcome: [m => `お帰りなさい。今日は ${time[0](m)}だけにしましょう。`, m => `歡迎回來，今天只做 ${time[1](m)}就好。`],
  backlog: [
    (n, m) => `ほかの復習 ${thousands(n)} 問（約 ${time[0](m)}）は、明日以降に分けておけます。`,
    (n, m) => `其餘 ${thousands(n)} 題複習（約 ${time[1](m)}），可以分散到之後的日子。`,
  ],
  dayTurns: ["いまはまだ前の日の続きです。日付は午前 4 時に変わります。", "現在還算前一天，凌晨 4 點才換日。"],
  spread: ["明日以降に分ける", "分散到之後的日子"],
  spreadDone: [n => `${thousands(n)} 問を、明日以降に分けました。`, n => `已把 ${thousands(n)} 題分散到之後的日子。`],

  // paths
  paths: ["面接まで、あとどれくらい", "離面試還有多久"],
  pathNames: [{ tonight: "今晩", "three-days": "3 日", week: "1 週間" }, { tonight: "今晚", "three-days": "3 天", week: "1 週" }],
  pathSize: [(n, days, m) => `${n} 問・${days > 1 ? "1 日 " : "約 "}${time[0](m)}`, (n, days, m) => `${n} 題，${days > 1 ? "每天 " : "約 "}${time[1](m)}`],
  pathNotes: [
    { tonight: "よく聞かれるものから順に。", "three-days": "発展の問題まで広げます。", week: "研究の問題まで、ひととおり。" },
    { tonight: "從最常被問到的開始。", "three-days": "再加上進階的題目。", week: "連研究等級的題目也練一輪。" },
  ],
  pathAll: [n => `いまの条件で出せるのは、この ${n} 問です。`, n => `目前能排進來的就是這 ${n} 題。`],
  pathNeeds: [m => `「1 日に使う時間」を ${m} 分以上にすると、期間内に終わります。`, m => `「每天練習的時間」設成 ${m} 分鐘以上，就能在期限內做完。`],
  pathDone: [(done, n) => `${n} 問のうち ${done} 問が終わりました`, (done, n) => `${n} 題中做完 ${done} 題`],
  pathFinished: ["終わりました", "做完了"],
  noPath: ["期間を決めずに続ける", "不設期限，照平常複習"],
  noPathChosen: ["期間を決めずに、毎日の復習を続けます。", "不設期限，照平常的步調複習。"],
  minutesRaised: [m => `1 日に使う時間を ${time[0](m)}に延ばしました。`, m => `每天練習的時間改成 ${time[1](m)}。`],
  pathChosen: [name => `「${name}」を選びました。`, name => `已選「${name}」。`],

  // conditions
  conditions: ["面接の日と条件", "面試日期與條件"],
  day: ["面接の日（決まっていれば）", "面試日期（可不填）"],
  minutes: ["1 日に使う時間", "每天練習的時間"],
  minute: ["分", "分鐘"],
  interviewLanguage: ["面接の言語", "面試語言"],
  role: ["職種", "職務"],
  anyRole: ["指定しない", "不限"],
  lastDay: ["口頭の問題だけを出します。答えを声に出し、必須の項目が言えるかを確かめましょう。", "今天只出口頭題。每題說一遍，確認必講的重點都講得出來就好。"],
  lastDaySilent: ["口頭の問題だけを出します。必須の項目を思い出せるか、確かめましょう。", "今天只出口頭題，確認必講的重點都想得起來就好。"],
  daysLeft: [
    n => (n === 0 ? "面接は今日です。" : n === 1 ? "面接は明日です。" : `面接まで、あと ${n} 日です。`),
    n => (n === 0 ? "面試就在今天。" : n === 1 ? "面試就在明天。" : `離面試還有 ${n} 天。`),
  ],
  dayPassed: ["面接の日が過ぎました。おつかれさまでした。次の面接が決まったら、日付を入れ直してください。", "面試日期已經過了，辛苦了。有下一場的話，再改成新的日期。"],
  otherEdition: [
    to => (to === "ja" ? "面接が日本語なら、声に出す練習は日本語版で。記録は共通です。" : "面接が中国語なら、声に出す練習は中国語（繁体字）版で。記録は共通です。"),
    to => (to === "ja" ? "用日文面試的話，開口練習請用日文版；紀錄兩邊共用。" : "用中文面試的話，開口練習請用中文版；紀錄兩邊共用。"),
  ],
  otherEditionLink: [to => (to === "ja" ? "日本語版で練習する" : "中国語（繁体字）版で練習する"), to => (to === "ja" ? "到日文版練習" : "到中文版練習")],
  english: ["英語の面接に合わせて、口頭の問題には英語で答えます。答えたあとに、英語の最初の一文を示します。", "配合英文面試，口頭題請用英文回答；答完會先給你第一句的英文說法。"],

  // free practice
  free: ["好きな問題を選んで練習する", "自己挑題目練習"],
  topic: ["分野", "主題"],
  level: ["レベル", "等級"],
  kind: ["形式", "題型"],
  frequency: ["頻度", "被問到的頻率"],
  chapter: ["章", "章節"],
  freeStart: [n => (n ? `この ${n} 問を始める` : "練習を始める"), n => (n ? `開始這 ${n} 題` : "開始練習")],
  freeSome: [(n, all) => `当てはまる ${thousands(all)} 問から、${n} 問ずつ出します。`, (n, all) => `符合的有 ${thousands(all)} 題，一次出 ${n} 題。`],
  freeAll: [n => `${n} 問が当てはまります。`, n => `符合的有 ${n} 題。`],
  freeNone: ["当てはまる問題がありません。条件を一つ減らしてみてください。", "沒有符合的題目，試著少選一個條件。"],

  // study
  stop: ["中断する", "先停在這裡"],
  at: [(n, of) => [`${n} 問目`, `／${of}`], (n, of) => [`第 ${n} 題`, `／${of}`]],
  left: [m => `あと約 ${time[0](m)}`, m => `還剩約 ${time[1](m)}`],
  again: ["再出題", "重來的題目"],
  graded: [(grade, next) => `前の問題は「${grade}」にしました。次は${next.replace(/^(?=\d)/, " ")}です。`, (grade, next) => `上一題選了「${grade}」，下次是${next.replace(/^(?=\d)/, " ")}。`],
  comesBack: ["前の問題は、このあともう一度出ます。", "上一題等一下會再出現。"],
  putOff: ["前の問題は、明日また出ます。", "上一題明天會再出現。"],
  undo: ["元に戻す", "復原"],
  undone: ["一つ前の問題に戻りました。", "已回到上一題。"],
  loading: ["問題を読み込んでいます。", "正在載入題目。"],
  notLoaded: ["この問題を読み込めませんでした。通信の状態を確かめて、もう一度読み込んでください。", "這一題載入不了。請確認連線，再試一次。"],
  notLoadedKernel: [
    "この問題を読み込めませんでした。カーネルが止まっているか、ほかのセルを実行しているようです。確かめて、もう一度読み込んでください。",
    "這一題載入不了，可能是 kernel 停了，或正在跑別的儲存格。請確認之後再試一次。",
  ],
  retry: ["もう一度読み込む", "重新載入"],
  skip: ["この問題を飛ばす", "跳過這一題"],
  keys: ["キーボードで操作する", "用鍵盤操作"],
  keyList: [
    [["Space", "次へ進む"], ["1〜4", "評価や選択肢を選ぶ"], ["↑ ↓", "項目のあいだを移動する"], ["U", "元に戻す"]],
    [["Space", "下一步"], ["1 到 4", "選「重來」到「簡單」，或選項"], ["↑ ↓", "在項目之間移動"], ["U", "復原"]],
  ],

  // the end of a sitting
  endOver: ["今日の分は終わりました", "今天的練習做完了"],
  endFree: ["選んだ問題は終わりました", "挑的題目做完了"],
  endStopped: ["ここで中断しました", "先到這裡"],
  endNote: [(n, m) => `${n} 問に答え、約 ${time[0](m)}かかりました。`, (n, m) => `答了 ${n} 題，花了約 ${time[1](m)}。`],
  endAloud: [n => `そのうち ${n} 問は、声に出して答えました。`, n => `其中 ${n} 題是說出口的。`],
  endRest: [n => `残りの ${n} 問は、あとで続けられます。`, n => `剩下的 ${n} 題，之後可以接著做。`],
  endList: ["答えた問題", "答過的題目"],
  read: ["この節を読む", "讀這一節"],
  toStart: ["はじめの画面に戻る", "回到開始畫面"],

  // progress
  soFar: ["これまで", "目前進度"],
  masteryNote: ["塗った部分は覚えた問題、淡い部分は途中の問題", "實色是記住的題目，淡色是還在練的題目"],
  mastery: [(learnt, started, total) => `${total} 問のうち、覚えた問題 ${learnt} 問、途中の問題 ${started - learnt} 問`, (learnt, started, total) => `${total} 題中，記住的 ${learnt} 題，還在練的 ${started - learnt} 題`],
  forecast: ["これから 14 日の復習", "接下來 14 天的複習"],
  forecastNote: ["棒の高さは、その日に復習する問題の数", "長條的高度是當天要複習的題數"],
  forecastAlt: [(sum, most, day) => `14 日間で ${thousands(sum)} 問。いちばん多いのは ${date(0)(day)}の ${thousands(most)} 問です。`, (sum, most, day) => `14 天共 ${thousands(sum)} 題，最多的一天是 ${date(1)(day)}，${thousands(most)} 題。`],
  history: ["この 4 週間", "最近 4 週"],
  historyNote: ["数字は、その日に答えた問題の延べ数です。", "數字是當天作答的次數。"],
  historyAlt: [(n, m, days) => `練習した日は ${days} 日、答えた問題は${n > 1 ? "延べ" : ""} ${thousands(n)} 問、時間は合わせて約 ${time[0](m)}です。`, (n, m, days) => `練了 ${days} 天，作答 ${thousands(n)} 次，共約 ${time[1](m)}。`],
  weekOf: [day => (({ month, date }) => `${month}/${date}〜`)(parts(day)), day => (({ month, date }) => `${month}/${date} 起`)(parts(day))],
  said: ["声に出して答えた問題", "說出口過的題目"],
  saidNote: ["口頭の問題のうち、その言語で声に出したもの", "口頭題當中，用各個語言說出口過的題數"],
  asTable: ["表で見る", "用表格看"],
  dayColumn: ["日", "日期"],
  countColumn: ["問題数", "題數"],
  timeColumn: ["時間", "時間"],

  // the record
  local: ["記録はこの端末だけにあり、どこにも送られません。", "紀錄只存在這台裝置上，不會傳到任何地方。"],
  localFile: ["記録は手元のファイルだけにあり、どこにも送られません。", "紀錄只存在你手邊的檔案裡，不會傳到任何地方。"],
  save: ["書き出す", "匯出"],
  load: ["読み込む", "匯入"],
  clear: ["すべて消す", "全部清除"],
  saved: [name => `${name} に書き出しました。`, name => `已匯出成 ${name}。`],
  copy: ["中身をコピーする", "複製內容"],
  copied: ["コピーしました。別の端末の「読み込む」に貼り付けられます。", "已複製，可以貼到另一台裝置的「匯入」。"],
  notCopied: ["コピーできませんでした。下の欄を選んでコピーしてください。", "沒辦法複製，請從下面的欄位自己複製。"],
  loadNote: ["書き出したファイルを選ぶか、この枠にドラッグしてください。いまの記録と合わせるので、どちらも消えません。", "選擇匯出的檔案，或把檔案拖到這裡。會和現有的紀錄合併，兩邊都不會消失。"],
  loadFile: ["ファイルを選ぶ", "選擇檔案"],
  loadText: ["または、中身を貼り付ける", "或是貼上內容"],
  loadGo: ["貼り付けた内容を読み込む", "匯入貼上的內容"],
  loaded: [n => `読み込みました。回答の記録は、合わせて ${thousands(n)} 回分です。`, n => `已匯入，合併後共有 ${thousands(n)} 次作答紀錄。`],
  notLoadedText: [why => `読み込めませんでした。${why}いまの記録は、そのままです。`, why => `沒有匯入。${why}目前的紀錄沒有變動。`],
  problems: [
    {
      "not-json": "中身が途中で切れているか、別の種類のファイルです。",
      "too-large": "大きすぎて、この本の記録とは思えません。",
      future: "新しい版で書き出された記録です。ページを読み込み直してから試してください。",
      foreign: "この本の記録ではありません。「書き出す」で作ったファイルを選んでください。",
      damaged: "読めない部分があります。元の端末でもう一度書き出してください。",
    },
    {
      "not-json": "內容不完整，或是別種檔案。",
      "too-large": "內容太大，不像是這本書的紀錄。",
      future: "這是較新版本匯出的紀錄，請重新整理頁面再試。",
      foreign: "不是這本書的紀錄，請選擇「匯出」產生的檔案。",
      damaged: "有些部分讀不出來，請在原來的裝置上重新匯出。",
    },
  ],
  // the same where reloading a page brings no newer version
  fileProblems: [
    { future: "新しい版で書き出された記録です。パッケージを新しくしてから試してください。" },
    { future: "這是較新版本匯出的紀錄，請先更新套件再試。" },
  ],
  clearNote: [(cards, n) => `${thousands(cards)} 問の進み具合と、${thousands(n)} 回分の回答の記録を消します。先に書き出しておくと、あとで読み込めます。`, (cards, n) => `${thousands(cards)} 題的進度和 ${thousands(n)} 次作答紀錄會全部清除。先匯出的話，之後還能匯入。`],
  clearGo: ["記録を消す", "清除紀錄"],
  cancel: ["やめる", "取消"],
  cleared: ["すべて消しました。", "已全部清除。"],
  restored: ["元に戻しました。", "已復原。"],
  anki: ["Anki で復習する", "用 Anki 複習"],
  ankiNote: ["同じ問題を Anki に取り込めます。取り込み直しても、Anki の学習の記録は残ります。", "同樣的題目可以匯入 Anki，重新匯入也會保留 Anki 的學習紀錄。"],

  // what the storage says
  notices: [
    {
      blocked: "このブラウザーでは、記録を残せません。このまま練習できますが、ページを閉じると記録は消えます。終わる前に書き出してください。",
      full: "このサイトで使える保存領域がいっぱいで、新しい記録を残せません。いまのうちに書き出してください。",
      corrupt: "前の記録に、読めない部分がありました。読めた分だけで続けます。書き出したファイルがあれば、読み込んでください。",
      future: "前の記録は、この本の新しい版で作られています。上書きを避けるため、今回の記録は残しません。ページを読み込み直すと、新しい版になることがあります。",
      foreign: "記録の場所に、この本のものではない内容がありました。新しい記録として始めます。",
      "other-tab": "別のタブでも練習が進んだので、両方の記録を合わせました。",
    },
    {
      blocked: "這個瀏覽器不讓網頁留下紀錄。還是可以練習，但關掉頁面之後，紀錄就會消失，結束前請先匯出。",
      full: "這個網站能用的儲存空間滿了，新的紀錄存不進去，請先匯出。",
      corrupt: "之前的紀錄有一部分讀不出來，先用讀得到的繼續。手邊有匯出檔的話，可以匯入。",
      future: "之前的紀錄是這本書較新的版本產生的。為了不蓋掉那份紀錄，這次的紀錄不會儲存。重新整理頁面，也許就會換成新版。",
      foreign: "存放紀錄的位置有不屬於這本書的內容，先從新的紀錄開始。",
      "other-tab": "另一個分頁也有練習，兩邊的紀錄已經合併。",
    },
  ],
  // the same where the record is a file beside a notebook
  fileNotices: [
    {
      blocked: "記録のファイルに書き込めません。このまま練習できますが、ノートブックを閉じると記録は消えます。終わる前に書き出してください。",
      full: "ディスクがいっぱいで、新しい記録を残せません。いまのうちに書き出してください。",
      future: "記録のファイルは、この本の新しい版で作られています。上書きを避けるため、今回の記録は残しません。パッケージを新しくすると続けられます。",
      "other-tab": "別のノートブックでも練習が進んだので、両方の記録を合わせました。",
    },
    {
      blocked: "紀錄檔無法寫入。還是可以練習，但關掉 notebook 之後，紀錄就會消失，結束前請先匯出。",
      full: "磁碟空間滿了，新的紀錄存不進去，請先匯出。",
      future: "紀錄檔是這本書較新的版本產生的。為了不蓋掉那份紀錄，這次的紀錄不會儲存。更新套件之後就能接著用。",
      "other-tab": "另一個 notebook 也有練習，兩邊的紀錄已經合併。",
    },
  ],
  kept: [
    (name, n) => `元の内容は消さずに、「${name}」${n > 1 ? `など ${n} 個の` : "という"}名前で取ってあります。`,
    (name, n) => `原來的內容沒有刪掉，用「${name}」${n > 1 ? `等 ${n} 個名稱` : "這個名稱"}保留著。`,
  ],
  clock: [
    n => `端末の時計が進んでいたあいだに答えた問題が ${thousands(n)} 問あります。このままでは、ずっと先の日まで出ません。いまの時計が正しければ、今日の記録に直せます。`,
    n => `有 ${thousands(n)} 題是在裝置的時鐘超前時答的，照這樣要等到很久以後才會再出現。現在的時鐘沒錯的話，可以改成今天的紀錄。`,
  ],
  mendClock: ["今日の記録に直す", "改成今天的紀錄"],
  close: ["閉じる", "關閉"],
  broken: ["練習を続けられなくなりました。記録は残っています。ページを読み込み直してください。", "練習沒辦法繼續。紀錄還在，請重新整理頁面。"],
  brokenCell: ["練習を続けられなくなりました。記録は残っています。このセルをもう一度実行してください。", "練習沒辦法繼續。紀錄還在，請再執行一次這個儲存格。"],
};

/** @param {string} language "ja" or "zh-Hant" @returns {Record<string, any>} */
export const words = language => Object.fromEntries(Object.entries(TABLE).map(([key, pair]) => [key, pair[language === "ja" ? 0 : 1]]));
