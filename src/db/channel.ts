/** The channel on which running services receive the notice that the wiki changed. */
export const CHANGED_CHANNEL = 'lectern_changed'

/** The channel on which followers receive the request to check their sources now. */
export const FOLLOW_CHANNEL = 'lectern_follow'
