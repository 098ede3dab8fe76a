const MARKDOWN_EXTENSION = /\.(?:md|mdx|markdown|mdown|mkdn?|mdwn|mdtext|qmd|rmd)$/i

/** Whether a file has an extension of Markdown. */
export const isMarkdownFile = (name: string): boolean => MARKDOWN_EXTENSION.test(name)
