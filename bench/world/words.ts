/** Words that the world's texts are made of, by language. */
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

/** Words of a language: those above, then every two of them put together, which are rare. */
const VOCABULARY = 20_000

export const LOCALES = [
  { locale: 'en', name: 'English', words: english.split(/\s+/), between: ' ', stop: '.' },
  { locale: 'ja', name: '日本語', words: japanese.split(/\s+/), between: 'の', stop: '。' },
  { locale: 'ru', name: 'Русский', words: russian.split(/\s+/), between: ' ', stop: '.' },
] as const

export type WorldLocale = (typeof LOCALES)[number]

/** The words of a text follow Zipf's law: the word of rank r comes 1/r as often as the first. @param drawn 0 to 1 */
export const zipfWord = ({ words }: WorldLocale, drawn: number): string => {
  const rank = Math.floor(VOCABULARY ** drawn) - 1
  if (rank < words.length) return words[rank]!
  return words[rank % words.length]! + words[Math.floor(rank / words.length) % words.length]!
}
