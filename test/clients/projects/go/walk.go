// Walk walks a list of edits with `next` held as a time.Time, and prints the id of each edit on a line of its own.
//
// Usage: walk ADDRESS LIMIT
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"time"
)

type edit struct {
	ID        string    `json:"id"`
	CreatedAt time.Time `json:"created_at"`
}

type part struct {
	Items []edit `json:"items"`
	// Empty at the end, which a time.Time cannot be.
	Next string `json:"next"`
}

func get(address string, query url.Values) (*part, error) {
	answer, err := http.Get(address + "?" + query.Encode())
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s?%s answered %s", address, query.Encode(), answer.Status)
	}
	var read part
	return &read, json.NewDecoder(answer.Body).Decode(&read)
}

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: walk ADDRESS LIMIT")
	}
	query := url.Values{"limit": {os.Args[2]}}
	for {
		read, err := get(os.Args[1], query)
		if err != nil {
			log.Fatal(err)
		}
		for _, one := range read.Items {
			fmt.Println(one.ID)
		}
		if read.Next == "" {
			return
		}
		before, err := time.Parse(time.RFC3339, read.Next)
		if err != nil {
			log.Fatal(err)
		}
		query.Set("before", before.Format(time.RFC3339Nano))
	}
}
