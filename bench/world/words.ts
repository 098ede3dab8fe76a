import { readFileSync } from 'node:fs'
import { packagePath } from '../../src/paths.ts'

/** Words that the world's titles, and the rare ones of its texts, are made of, by language. */
const english = `acre amber anchor apple arch ash autumn axle bakery barley barn basin beacon bell birch blossom boat
bramble brass bread brick bridge bright brook broom bucket butter candle canvas carpet carriage cedar cellar chalk
chapel cherry chimney church cider circle clay clock cloud clover coast copper coral cotton cradle crane creek crown
current dairy dawn deep delta dew distant dune early east ebony elder elm ember engine evening fallow farm feather fence
fern ferry field finch flax flint flour forest forge fountain fox frost garden garnet gate glacier glass gold grain
granite grape grass gravel green grove guild harbour harvest hazel hearth heather hedge heron hill hollow honey horizon
horse inlet iron island ivory ivy jasper juniper kettle kiln lake lantern larch lark laurel lavender leaf ledge lemon
library lichen lighthouse lily lime linen loom lowland maple marble market marsh meadow mill mint mirror mist moon moss
mountain museum narrow nettle north oak oat ocean old olive orchard osprey otter oven paddock paper parish path pear
pebble pepper pine plain plough plum pond poplar port pottery prairie quarry quartz quay quiet railway rain raven reed
reef ridge river road robin roof rose rowan rye saddle saffron sage sail salt sand school sea shade shallow sheep shell
shepherd shore silk silver slate slope small smoke snow south spring spruce square stable station steam steel stone
storm straw stream street summer swallow swan tallow tannery terrace thatch thistle thorn thyme tide timber tower town
trail tunnel twilight upland valley velvet village vineyard violet wagon wall walnut water weir well west wharf wheat
wheel willow wind winter wood wool workshop yard yarrow yew`

const russian = `берег берёза болото быстрый вечер ветер вишня вода волна ворота восток высокий гавань глина город гора
двор дерево деревня долина дом дорога дуб дым железо жёлтый завод закат запад зелёный зерно зима золото камень колодец
колокол корабль костёр крепость круг лес лето лист лодка луг луна масло медь мельница мост музей мята небо новый ночь
овёс огонь озеро осень остров парус песок пещера плот поле порт пруд птица пшеница река роща рынок рыба сад север
серебро снег солнце сосна станция старый стена степь тихий трава туман улица утро хлеб холм храм цветок часы чаша шёлк
школа юг яблоко ясень`

const japanese = `青い 秋 朝 雨 池 石 泉 市場 糸 稲 海 梅 駅 丘 音 神社 鏡 風 川 岸 北 絹 霧 草 雲 蔵 小麦 坂 桜 里 島 城 砂 炭 空 滝 竹 谷
町 茶 月 土 鶴 寺 塔 灯台 鳥 夏 波 庭 西 野 葉 橋 花 浜 春 林 東 光 火 冬 舟 星 松 祭 窓 道 港 南 峰 村 森 門 山 雪 夕方 米 和紙`

export const LOCALES = [
  { locale: 'en', name: 'English', words: english.split(/\s+/), between: ' ', stop: '.' },
  { locale: 'ja', name: '日本語', words: japanese.split(/\s+/), between: 'の', stop: '。' },
  { locale: 'ru', name: 'Русский', words: russian.split(/\s+/), between: ' ', stop: '.' },
] as const

export type WorldLocale = (typeof LOCALES)[number]

/**
 * How often each of the commonest words stands in the English pages of real wikis (the documentation of
 * Wiki.js, the site of Node.js), per million words: the first few stand in every second page. Words of the
 * other languages are as common as the English ones of the same rank.
 */
const frequencies = readFileSync(packagePath('bench', 'world', 'english-words.txt'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split(' '))
  .map(([word, perMillion]) => ({ word: word!, share: Number(perMillion) / 1_000_000 }))

/** Of each rank, the share of all words up to it. */
const upTo: number[] = []
for (const { share } of frequencies) upTo.push((upTo.at(-1) ?? 0) + share)

const COMMON = upTo.at(-1)!
/** Other words of a language: two of those above put together. Most are rare. */
const RARE = 100_000

/** A word of a language by its rank, the commonest first. */
const wordOfRank = ({ locale, words }: WorldLocale, rank: number): string => {
  if (locale === 'en' && rank < frequencies.length) return frequencies[rank]!.word
  if (rank < words.length) return words[rank]!
  return words[rank % words.length]! + words[Math.floor(rank / words.length) % words.length]!
}

/** A word of a text, common or rare as those of real wikis are. @param drawn 0 to 1 */
export const drawWord = (locale: WorldLocale, drawn: number): string => {
  if (drawn >= COMMON) {
    const rest = (drawn - COMMON) / (1 - COMMON)
    return wordOfRank(locale, frequencies.length + Math.floor(RARE * rest ** 1.5))
  }
  let low = 0
  let high = upTo.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (upTo[middle]! <= drawn) low = middle + 1
    else high = middle
  }
  return wordOfRank(locale, low)
}

/** A word that hardly any other page has. @param drawn 0 to 1 */
export const rareWord = ({ words }: WorldLocale, drawn: number): string => {
  const count = words.length
  const rank = Math.floor(drawn * count ** 3)
  return (
    words[rank % count]! + words[Math.floor(rank / count) % count]! + words[Math.floor(rank / count ** 2)]!
  )
}
