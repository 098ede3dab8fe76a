import type { LinkResolvers } from '../generated/schema.ts'

export const linkResolvers: LinkResolvers = {
  url: ({ locale, path }, _, { pageUrl }) => pageUrl(locale, path),
  title: ({ page }) => page?.title ?? null,
  exists: ({ page }) => page !== null,
}
