// Go's net/http as its manual has it. Takes its task as JSON on standard input; run by lane.trial.ts.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

type task struct {
	Rest, APIKey, Method string
	KeepsAlive           bool
	Requests             []struct{ Target, Body string }
}

func run(task task) error {
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: !task.KeepsAlive}}
	for _, each := range task.Requests {
		request, err := http.NewRequest(task.Method, task.Rest+each.Target, strings.NewReader(each.Body))
		if err != nil {
			return err
		}
		request.Header.Set("X-MBX-APIKEY", task.APIKey)
		if each.Body != "" {
			request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		}
		answer, err := client.Do(request)
		if err != nil {
			return err
		}
		body, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil {
			return err
		}
		if answer.StatusCode != http.StatusOK {
			return fmt.Errorf("%d %s", answer.StatusCode, body)
		}
	}
	return nil
}

func main() {
	var given task
	err := json.NewDecoder(os.Stdin).Decode(&given)
	if err == nil {
		err = run(given)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
