// Places and cancels, trades, listens to both kinds of streams, and withdraws. Takes its task as JSON on standard
// input, and prints what it saw as JSON. Run by other-languages.test.ts.
package main

import (
	"encoding/json"
	"log"
	"net/url"
	"os"
	"strconv"
	"strings"
)

type task struct {
	Rest, Ws, APIKey, SecretKey  string
	Symbol, Quantity, Price, Low string
	Withdrawal                   map[string]string
}

type order struct {
	OrderID int64 `json:"orderId"`
	Status  string
}

type seen struct {
	Statuses   []string `json:"statuses"`
	Trade      string   `json:"trade"`
	Reports    []string `json:"reports"`
	Withdrawal string   `json:"withdrawal"`
}

func main() {
	log.SetFlags(0)
	var given task
	must(json.NewDecoder(os.Stdin).Decode(&given))
	must(json.NewEncoder(os.Stdout).Encode(run(given)))
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func run(given task) seen {
	client := NewClient(given.Rest, given.Ws, given.APIKey, given.SecretKey)
	var opened struct{ ListenKey string }
	must(client.Keyed("POST", "/api/v3/userDataStream", nil, &opened))
	trades, err := client.Stream(strings.ToLower(given.Symbol) + "@trade")
	must(err)
	reports, err := client.Stream(opened.ListenKey)
	must(err)

	place := func(side, price string) order {
		terms := url.Values{
			"symbol": {given.Symbol}, "side": {side}, "type": {"LIMIT"}, "timeInForce": {"GTC"},
			"quantity": {given.Quantity}, "price": {price},
		}
		var placed order
		must(client.Signed("POST", "/api/v3/order", terms, &placed))
		return placed
	}
	placed := place("BUY", given.Low)
	var canceled order
	which := url.Values{"symbol": {given.Symbol}, "orderId": {strconv.FormatInt(placed.OrderID, 10)}}
	must(client.Signed("DELETE", "/api/v3/order", which, &canceled))
	place("SELL", given.Price)
	taken := place("BUY", given.Price)

	events, err := trades.Until("trade", 1)
	must(err)
	told, err := reports.Until("executionReport", 5)
	must(err)
	result := seen{Statuses: []string{placed.Status, canceled.Status, taken.Status}, Trade: events[0].Price}
	for _, report := range told {
		result.Reports = append(result.Reports, report.Status)
	}
	result.Withdrawal = withdraw(client, given.Withdrawal)

	key := url.Values{"listenKey": {opened.ListenKey}}
	must(client.Keyed("PUT", "/api/v3/userDataStream", key, &struct{}{}))
	must(client.Keyed("DELETE", "/api/v3/userDataStream", key, &struct{}{}))
	must(trades.Close())
	must(reports.Close())
	return result
}

func withdraw(client *Client, terms map[string]string) string {
	parameters := url.Values{}
	for name, value := range terms {
		parameters.Set(name, value)
	}
	var asked struct{ ID string }
	must(client.Signed("POST", "/sapi/v1/capital/withdraw/apply", parameters, &asked))
	return asked.ID
}
