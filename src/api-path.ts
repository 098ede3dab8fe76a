/** The path of the API on its listener. It contains the version of the API. */
export const API_PATH = '/api/v1'
