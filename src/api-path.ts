/** Where the API is on its listener: the version is part of the path. */
export const API_PATH = '/api/v1'
