/** The channel on which running services hear that the wiki changed. */
export const CHANGED_CHANNEL = 'lectern_changed'
