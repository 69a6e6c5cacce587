/* The words of the cards, both languages side by side: [日本語, 繁體中文]. */

import { clock, clockOf, daysJa, daysZh, noteJa, noteZh } from "./words_notes.js";

const TABLE = {
  // head and foot of a card
  slots: ["30 秒・2 分", "30 秒、2 分鐘"],
  about: [s => (s < 60 ? `目安 ${s} 秒` : `目安 ${Math.round(s / 60)} 分`), s => (s < 60 ? `約 ${s} 秒` : `約 ${Math.round(s / 60)} 分鐘`)],
  question: ["問題", "題目"],
  passage: ["この節を読む", "讀這一節"],
  colon: ["：", "："], stopSign: ["。", "。"],

  // explain: the answer
  answerFirst: ["まず自分の言葉で答える", "先用自己的話回答"],
  inEnglish: ["英語の面接に向けて、英語で答えましょう。", "準備英文面試，這題用英文回答。"],
  think: ["まず頭の中で答える", "先在心裡回答"],
  thinkNote: ["声は出さずに、話す順番まで決めてから項目を開きます。", "不用出聲，先想好要講的順序，再打開重點。"],
  mode: ["答え方", "作答方式"], speak: ["話す", "說出口"], write: ["書く", "用寫的"],
  length: ["長さ", "長度"], short: ["30 秒", "30 秒"], long: ["2 分", "2 分鐘"],
  timer: ["話した時間", "講了多久"],
  clock: [clock, clock], clockOf: [clockOf(" 秒"), clockOf(" 秒")],
  private: ["測るのは時間だけで、録音も送信もしません", "只計時，不錄音，也不會傳出去"],
  speaking: ["計測中", "計時中"],
  over: ["時間を過ぎました。切りのよいところまでどうぞ", "時間到了，講到一個段落就好"],
  kept: ["時間内に話し終えました", "在時間內講完了"],
  late: [s => `目安を ${s} 秒過ぎました`, s => `比目標多了 ${s} 秒`],
  brief: [s => `${s} 秒で止めました`, s => `講了 ${s} 秒`],
  untimed: ["時間は測っていません", "這次沒有計時"],
  start: ["話し始める", "開始講"], stop: ["話し終えた", "講完了"], again: ["もう一度話す", "再講一次"],
  skip: ["時間を測らずに答えた", "沒計時，已經講完"],
  written: ["書いた回答", "寫下的回答"], writeHere: ["回答", "回答"], writeDone: ["書き終えた", "寫完了"], rewrite: ["書き直す", "再改一下"],
  writePrivate: ["書いた内容は、この画面を開いているあいだだけ残ります。保存も送信もしません。", "內容只留在這個畫面，不會儲存，也不會傳出去。"],
  letters: [(n, of) => `${n} 字（目安 ${of === 30 ? "130〜160" : "480〜620"} 字）。`, (n, of) => `${n} 字（目標 ${of === 30 ? "80 到 105" : "300 到 400"} 字）。`],
  open: ["項目を開く", "打開重點"],
  showAnswer: ["回答例を見る", "看參考回答"],

  // rubric
  tick: ["言えた項目に印をつける", "勾選有講到的重點"],
  tickNote: ["言ったことだけを数えます。言うつもりだったことは数えません。", "只算真的講出口的，想講而沒講的不算。"],
  tickThought: ["思い浮かんだ項目に印をつける", "勾選有想到的重點"],
  thoughtNote: ["頭の中で文になったことだけを数えます。", "只算在心裡講成一句話的，模糊的印象不算。"],
  tickWritten: ["書けた項目に印をつける", "勾選有寫到的重點"],
  writtenNote: ["書いたことだけを数えます。書くつもりだったことは数えません。", "只算真的寫下來的，想寫而沒寫的不算。"],
  must: ["必須", "必講"], weight: [n => `配点 ${n}`, n => `配分 ${n}`],
  counts: ["足りている", "這樣就算"], lacks: ["足りない", "還不夠"],
  fatalFold: ["避けたい文", "有沒有出現這些說法"], fatalChosen: [(title, n) => `${title}：${n}`, (title, n) => `${title}（勾了 ${n} 句）`],
  fatalNote: ["次のどれかがあると、ほかがそろっていても「不足」になります。", "只要出現下面任何一句，就算其他都有，也只能算「不足」。"],
  manner: ["伝え方（点数には入りません）", "表達（不計分）"],
  claimTick: ["結論を最初の一文に置いた", "結論放在第一句"],
  fillerTick: ["「一応」「ちょっと」「みたいな」に頼らなかった", "沒有一直說「就是」「然後」「那個」"],
  judge: ["判定を見る", "看結果"],

  // verdict of an explain
  strong: ["優れた回答", "出色"], acceptable: ["合格ライン", "及格"], weak: ["不足", "不足"],
  note: [noteJa, noteZh],
  seenHead: ["まず回答例を読む", "先讀參考回答"],
  seenNote: ["一度、できれば声に出して読んでおくと、次は自分の言葉で話しやすくなります。", "方便出聲的話，唸過一遍，下次就比較容易用自己的話講。"],
  fatalSaid: ["直したい文", "要改過來"],
  inManner: ["伝え方", "表達"], time: ["時間", "時間"],
  claimDone: ["結論が最初の一文にありました", "第一句就是結論"],
  claimOpen: ["結論を最初の一文に置くと、さらに伝わりやすくなります", "把結論放在第一句，會更清楚"],
  fillerDone: ["口癖に頼らずに話せました", "沒有多餘的口頭禪"],
  timeOf: [(s, of) => `${s} 秒（目安 ${of} 秒）`, (s, of) => `${s} 秒（目標 ${of} 秒）`],
  retick: ["印をつけ直す", "重新勾選"],

  // what an interviewer asks next, and what others answer
  followUps: ["追加の質問", "追問"], moreFollowUps: [n => `ほかの追加の質問（${n}）`, n => `其他追問（${n}）`],
  goodAnswer: ["回答例", "參考回答"],
  pushBack: ["揺さぶり", "面試官反駁"], tryPushBack: ["揺さぶりの質問も受けてみる", "也試試面試官的反駁"],
  deeper: ["深掘り", "再往下問"],
  models: ["回答例と評価", "參考回答與評分"],
  english: ["英語の最初の一文", "英文的第一句"],
  answer30: ["回答例（30 秒）", "參考回答（30 秒）"], answer120: ["回答例（2 分）", "參考回答（2 分鐘）"],
  samples: ["三つの回答と評価", "三種回答與評分"], earns: ["この回答で言えている項目", "這個回答講到的重點"],
  earnsNone: ["言えている項目はありません。", "沒有講到重點。"],

  // choice
  choose: ["一つ選ぶ", "選一個"], answer: ["答える", "作答"],
  right: ["正解", "答對了"], answerIs: [letter => `正解は ${letter}`, letter => `答案是 ${letter}`],
  yourChoice: ["選んだ答え", "你選的"], misconception: ["誤解", "迷思"], why: ["解説", "說明"],
  otherOptions: ["ほかの選択肢", "其他選項"],

  // number and expression
  yourAnswer: ["答え", "你的答案"], typed: ["入力した答え", "你的答案"],
  example: [text => `書き方の例：${text}`, text => `寫法範例：${text}`],
  signs: ["掛け算は * か空白、割り算は /、べき乗は ^、平方根は sqrt( ) か √ で書けます。", "乘號用 * 或空格，除號用 /，次方用 ^，根號用 sqrt( ) 或 √。"],
  symbols: ["文字と記号を入れる", "插入符號"], insert: [name => `${name} を入れる`, name => `插入 ${name}`],
  nothingTyped: ["答えを入力してください", "請先輸入答案"], noToken: ["結果コードを入力してください", "請先輸入結果碼"],
  namesAre: [names => `使える文字：${names.join("、")}。`, names => `變數寫成 ${names.join("、")}。`],
  orName: [(name, letter) => `${name}（${letter} でも可）`, (name, letter) => `${name}（或 ${letter}）`],
  unreadable: ["読み取れませんでした（不正解にはなりません）", "看不懂這個輸入（不算答錯）"],
  reasons: [
    {
      empty: "まだ何も入力されていません。", "too-long": "入力が長すぎます。", "too-large": "数が大きすぎるか、小さすぎます。",
      undefined: "0 で割る、負の数の平方根を取るなど、値が決まらない形です。",
      comma: "コンマが小数点か桁区切りか、区別できません。小数点には「.」を使ってください。",
      ambiguous: "二通りに読める形です。括弧か、掛け算の × を補ってください。",
      unit: "数の後ろに、知らない単位か言葉があります。", equation: "= があります。右辺だけを入力してください。", form: "数や式として読めない形です。",
    },
    {
      empty: "還沒有輸入。", "too-long": "輸入太長了。", "too-large": "數字太大或太小。",
      undefined: "像是除以 0、負數開根號，算不出確定的值。",
      comma: "分不出逗號是小數點還是千分位，小數點請用「.」。",
      ambiguous: "有兩種讀法，請補上括號或乘號 ×。",
      unit: "數字後面有不認得的單位或文字。", equation: "裡面有 =，只要輸入等號右邊就好。", form: "這個寫法讀不成數字或式子。",
    },
  ],
  unknownName: [(name, names) => `「${name}」は、この問題では使いません。使うのは ${names.join("、")} です。`, (name, names) => `這一題沒有「${name}」，可以用的是 ${names.join("、")}。`],
  notYet: ["正しい答えと解き方を示します", "下面是正確答案和解法"],
  valueIs: [shown => `正しい値は ${shown}`, shown => `正確的值是 ${shown}`],
  formulaIs: [html => `正しい式は ${html}`, html => `正確的式子是 ${html}`],
  mistake: ["間違い", "錯在這裡"], solution: ["解き方", "解法"], otherMistakes: ["よくある間違い", "常見的錯誤"],

  // grading a sample
  gradeHead: ["ある人の回答", "某人的回答"],
  gradeTick: ["この回答で言えている項目に印をつける", "勾選這個回答講到的重點"],
  gradeNote: ["書かれていることだけで決めます。言おうとしたことは数えません。", "只看寫出來的內容，沒寫的不用幫忙補。"],
  gradeFatal: ["この回答にある誤った文", "這個回答裡講錯的話"],
  gradeSubmit: ["採点を比べる", "比對評分"],
  agreeAll: ["採点がすべて一致", "評分完全一致"], agreed: [(n, of) => `${of} 項目のうち ${n} 項目が一致`, (n, of) => `${of} 項中 ${n} 項一致`],
  agreeNote: [
    (label, points, total) => `この回答は ${total} 点満点中 ${points} 点で、「${label}」です。`,
    (label, points, total) => `這個回答拿到 ${points} 分（滿分 ${total} 分），評為「${label}」。`,
  ],
  bothEarned: ["言えている", "有講到"], bothOpen: ["足りない", "還不夠"],
  onlyMine: ["印あり → まだ足りない", "勾了 → 其實還不夠"], onlyTheirs: ["印なし → 言えている", "沒勾 → 其實有講到"],
  saidBoth: ["誤りに気づいた", "看出講錯了"], saidMissed: ["印なし → 誤った文", "沒勾 → 其實講錯了"], saidNot: ["印あり → 言っていない", "勾了 → 其實沒這樣說"],

  // code
  worked: ["手で計算した例", "手算的例子"],
  hint: [(n, of) => `ヒントを見る（${n}／${of}）`, (n, of) => `看提示（${n}／${of}）`], hintTitle: [n => `ヒント ${n}`, n => `提示 ${n}`],
  inNotebook: ["ノートブックで書いて採点する", "在 notebook 寫完並評分"],
  inCell: ["セルで書いて採点する", "在儲存格寫完並評分"],
  toNotebook: ["ノートブックをダウンロードする", "下載 notebook"],
  callNote: ["問題のあとのセルに関数を書き、その次のセルを実行すると採点されます。自分のノートブックでは、次のように採点します。", "把函式寫在題目後面的儲存格，再執行下一格，就會評分。用自己的 notebook 的話，執行下面的程式碼。"],
  callHere: ["書いた関数を、次のように採点します。", "寫好函式後，執行下面的程式碼，就會評分。"],
  copy: ["コピー", "複製"], copied: ["コピーしました", "已複製"], notCopied: ["選んでコピーしてください", "請選取後複製"],
  token: ["結果コード", "結果碼"],
  tokenNote: ["正解すると表示される結果コードを、ここに入力してください。結果コードで分かるのは打ち間違いだけで、誰が書いたかは確かめません。", "通過之後會顯示結果碼，請填在這裡。結果碼只能檢查有沒有打錯字，不會確認是誰寫的。"],
  tokenRead: ["結果を読み込む", "讀取結果"],
  tokens: [
    {
      empty: "まだ何も入力されていません。", form: "結果コードの形ではありません。", check: "打ち間違いか、写し漏れがあるようです。",
      other: "ほかの問題の結果コードです。",
    },
    {
      empty: "還沒有輸入。", form: "不是結果碼的格式。", check: "好像有打錯或漏掉的字。",
      other: "這是別題的結果碼。",
    },
  ],
  codeRight: ["すべての性質を満たしました", "通過所有檢查"],
  codeLater: ["あとで書く", "之後再寫"],

  // diagnose
  measure: ["何を測るかを決める", "決定要量什麼"], measureNote: ["原因を見分けられそうなものから測ります。あとから追加もできます。", "先量最能分辨原因的，之後也可以再加。"],
  measureDo: ["選んだものを測る", "量勾選的項目"], measureMore: ["追加で測る", "再多量幾項"], shows: ["結果", "結果"],
  cause: ["原因を一つ選ぶ", "選一個原因"], causeDo: ["原因を答える", "就選這個原因"],
  causeRight: ["原因を突き止めました", "找出原因了"], causeGuess: ["原因は合っています", "原因說對了"], causeIs: ["本当の原因", "真正的原因"],
  guessNote: ["言い切るには、次の測定も必要です。", "要能確定，還需要量這些。"], neededNote: ["次の測定が決め手になります。", "這些量測才是關鍵。"],
  ruledOutBy: ["除外の根拠", "排除的依據"], otherCauses: ["ほかの原因", "其他原因"],

  // grades
  whenNext: ["次はいつ出すか", "下次什麼時候出現"],
  soon: ["このあと", "等一下"],
  days: [daysJa, daysZh],
  propose: [
    {
      missing: "必須の項目がまだなので、「もう一度」を提案します。", fatal: "直したい文があるので、「もう一度」を提案します。",
      first: "合格ラインに届いたのは初めてなので、「難しい」を提案します。", later: "前にも合格ラインに届いているので、「正解」を提案します。",
      strong: "優れた回答なので、「正解」を提案します。楽にできたときは「簡単」を選んでください。",
      right: "正しく答えられたので、「正解」を提案します。", wrong: "早めに解き直せるように、「もう一度」を提案します。",
      seen: "先に回答例を見たので、「もう一度」を提案します。",
      near: "違ったのは一項目だけなので、「難しい」を提案します。", far: "違いが二項目以上あったので、「もう一度」を提案します。",
      guess: "決め手の測定がまだなので、「難しい」を提案します。",
    },
    {
      missing: "還缺必講的重點，所以建議選「重來」。", fatal: "有地方要改過來，所以建議選「重來」。",
      first: "第一次及格，所以建議選「困難」。", later: "已經不是第一次及格，所以建議選「良好」。",
      strong: "答得出色，所以建議選「良好」；覺得輕鬆的話，可以選「簡單」。",
      right: "答對了，所以建議選「良好」。", wrong: "早點再練一次比較好，所以建議選「重來」。",
      seen: "先看了參考回答，所以建議選「重來」。",
      near: "只有一項判斷不同，所以建議選「困難」。", far: "有兩項以上判斷不同，所以建議選「重來」。",
      guess: "關鍵的量測還沒做，所以建議選「困難」。",
    },
  ],
};

const made = new Map();

/** The words of one language by key; made once. @param {string} language "ja" or "zh-Hant" @returns {Record<string, any>} */
export function cardWords(language) {
  const place = language === "ja" ? 0 : 1;
  if (!made.has(place)) made.set(place, Object.fromEntries(Object.entries(TABLE).map(([key, pair]) => [key, pair[place]])));
  return made.get(place);
}
