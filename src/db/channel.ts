/** The channel on which running services receive the notice that the wiki changed. */
export const CHANGED_CHANNEL = 'lectern_changed'
