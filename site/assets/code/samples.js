/* A request as code. The server writes it into the page, and the browser writes it again when a parameter changes. */

/** A character that means something to a shell, to curl or in a string of one of the languages. */
const percentEncode = (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

/**
 * The absolute URL of a request. It contains nothing that would have to be escaped in a string or for curl, but for a
 * placeholder in the path.
 * @param {string} base base URL of the API, without a slash at the end
 * @param {string} target path and query under the base URL
 */
export const urlOf = (base, target) =>
  new URL(base + target).href
    .replace(/['\\`[\]{}|^]/g, percentEncode)
    .replace(/%7B(\w+)%7D/g, (text, name) => (target.includes(`/{${name}}`) ? `{${name}}` : text))

/**
 * @param {string} url as `urlOf` returns it
 * @param {boolean} isJson whether the response is JSON
 * @returns {{ curl: string, javascript: string, python: string, go: string }}
 */
export const samplesOf = (url, isJson) => ({
  curl: `curl '${url}'`,
  javascript: `const response = await fetch('${url}')
if (!response.ok) throw new Error(await response.text())
console.log(await response.${isJson ? 'json' : 'text'}())`,
  python: isJson
    ? `import json, urllib.request

url = '${url}'
with urllib.request.urlopen(url) as response:
    print(json.load(response))`
    : `import urllib.request

url = '${url}'
with urllib.request.urlopen(url) as response:
    print(response.read().decode())`,
  go: `package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
)

func main() {
	response, err := http.Get("${url}")
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(response.Status, string(body))
}`,
})
