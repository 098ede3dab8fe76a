import { DIALECT_NAMES, type DialectName } from '@lectern/wiki/dialects/dialect'

/** What dialects read, with a payload in titles, contents, attributes and addresses. */
const CONSTRUCTS: readonly ((payload: string) => string)[] = [
  (payload) => `::: tip ${payload}\n${payload}\n:::`,
  (payload) => `:::note[${payload}]{title="${payload}"}\n${payload}\n:::`,
  (payload) => `!!! note "${payload}"\n    ${payload}`,
  (payload) => `??? note "${payload}"\n    ${payload}`,
  (payload) => `=== "${payload}"\n    ${payload}`,
  (payload) => `/// note | ${payload}\n${payload}\n///`,
  (payload) => `\`\`\`{note} ${payload}\n${payload}\n\`\`\``,
  (payload) => `\`\`\`js title="${payload}"\na\n\`\`\``,
  (payload) => `<Card title="${payload}" href="${payload}">\n${payload}\n</Card>`,
  (payload) => `<Tabs><TabItem label="${payload}">${payload}</TabItem></Tabs>`,
  (payload) => `{{< alert title="${payload}" >}}\n${payload}\n{{< /alert >}}`,
  (payload) => `{{< figure src="${payload}" alt="${payload}" >}}`,
  (payload) => `{% tab '${payload}' %}\n${payload}\n{% endtab %}`,
  (payload) => `{% hint style="${payload}" %}\n${payload}\n{% endhint %}`,
  (payload) => `> [!note]- ${payload}\n> ${payload}`,
  (payload) => `# ${payload} {#${payload} onclick="${payload}"}`,
  (payload) => `==${payload}== ++${payload}++ ^[${payload}] {ref}\`${payload}\``,
  (payload) => `![${payload}](${payload} =1x1)`,
]

/** Each payload in so many dialects, each in one of the constructs, so that all of them occur. */
export const hostileTexts = (
  payloads: readonly string[],
  dialects: number,
): { markdown: string; dialect: DialectName }[] =>
  payloads.flatMap((payload, i) =>
    Array.from({ length: dialects }, (_, k) => ({
      markdown: CONSTRUCTS[(i + k) % CONSTRUCTS.length]!(payload),
      dialect: DIALECT_NAMES[(i + Math.floor(i / CONSTRUCTS.length) + k) % DIALECT_NAMES.length]!,
    })),
  )
