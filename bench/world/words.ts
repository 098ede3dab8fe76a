import { readFileSync } from 'node:fs'
import { packagePath } from '../../src/paths.ts'

/** The words of titles, by language. The rare words of texts are combinations of them. */
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
  { locale: 'en', name: 'English', words: english.split(/\s+/), separator: ' ', fullStop: '.' },
  { locale: 'ja', name: '日本語', words: japanese.split(/\s+/), separator: 'の', fullStop: '。' },
  { locale: 'ru', name: 'Русский', words: russian.split(/\s+/), separator: ' ', fullStop: '.' },
] as const

export type WorldLocale = (typeof LOCALES)[number]

/**
 * The frequency of the most common words in English pages of real wikis (the documentation of Wiki.js, the site of
 * Node.js), per million words. The first few words occur in every second page. A word of another language has the
 * frequency of the English word with the same rank.
 */
const frequencies = readFileSync(packagePath('bench', 'world', 'english-words.txt'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split(' '))
  .map(([word, perMillion]) => ({ word: word!, share: Number(perMillion) / 1_000_000 }))

/** For each rank, the share of all occurrences that words up to this rank have. */
const cumulativeShares: number[] = []
for (const { share } of frequencies) cumulativeShares.push((cumulativeShares.at(-1) ?? 0) + share)

const COMMON_SHARE = cumulativeShares.at(-1)!
/** Number of other words of a language. Each is two of the words above, combined; most are rare. */
const RARE_WORDS = 100_000

/** A word of a language by its rank. Rank 0 is the most common word. */
const wordOfRank = ({ locale, words }: WorldLocale, rank: number): string => {
  if (locale === 'en' && rank < frequencies.length) return frequencies[rank]!.word
  if (rank < words.length) return words[rank]!
  return words[rank % words.length]! + words[Math.floor(rank / words.length) % words.length]!
}

/** A word of a text, with the distribution of words in real wikis. @param fraction random, 0 to 1 */
export const pickWord = (locale: WorldLocale, fraction: number): string => {
  if (fraction >= COMMON_SHARE) {
    const rest = (fraction - COMMON_SHARE) / (1 - COMMON_SHARE)
    return wordOfRank(locale, frequencies.length + Math.floor(RARE_WORDS * rest ** 1.5))
  }
  let low = 0
  let high = cumulativeShares.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (cumulativeShares[middle]! <= fraction) low = middle + 1
    else high = middle
  }
  return wordOfRank(locale, low)
}

/** A word that hardly any other page has. @param fraction random, 0 to 1 */
export const pickRareWord = ({ words }: WorldLocale, fraction: number): string => {
  const count = words.length
  const rank = Math.floor(fraction * count ** 3)
  return (
    words[rank % count]! + words[Math.floor(rank / count) % count]! + words[Math.floor(rank / count ** 2)]!
  )
}
