/** Variables that may contain a password. Nothing prints their values. */
const SECRET_VARIABLES = ['DATABASE_URL', 'DATABASE_REPLICA_URLS', 'REDIS_URL', 'FOLLOW_SECRET']

export const isSecret = (name: string): boolean => SECRET_VARIABLES.includes(name)

/** Replaces user and password of every URL in a text. */
export const redactPasswords = (text: string): string => text.replace(/\/\/[^\s,]*@/g, '//…@')
