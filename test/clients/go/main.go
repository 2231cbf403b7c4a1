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
	Interface, Rest, Ws          string
	APIKey, SecretKey            string
	Symbol, Quantity, Price, Low string
	Withdrawal                   map[string]string
	Ed25519                      ed25519Key
}

type order struct {
	OrderID int64 `json:"orderId"`
	Status  string
}

type seen struct {
	Statuses   []string                      `json:"statuses"`
	Trade      any                           `json:"trade"`
	Reports    []any                         `json:"reports"`
	Withdrawal string                        `json:"withdrawal"`
	Kinds      map[string]map[string][]Event `json:"kinds,omitempty"`
}

func main() {
	log.SetFlags(0)
	var given task
	must(json.NewDecoder(os.Stdin).Decode(&given))
	client := NewClient(given.Rest, given.Ws, given.APIKey, given.SecretKey)
	var result seen
	if given.Interface == "today" {
		api := LogOn(client, given.Ed25519)
		result = run(client, api, given)
		result.Kinds = NewKinds(client, api, given)
		must(api.Close())
	} else {
		account := OpenListenKey(client)
		result = run(client, account, given)
		must(account.Close())
	}
	must(json.NewEncoder(os.Stdout).Encode(result))
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// ListenKey is the account's events by a listen key, which today's interface no longer has.
type ListenKey struct {
	*Stream
	client *Client
	key    url.Values
}

// OpenListenKey starts one.
func OpenListenKey(client *Client) *ListenKey {
	var opened struct{ ListenKey string }
	must(client.Keyed("POST", "/api/v3/userDataStream", nil, &opened))
	stream, err := client.Open("/ws/" + opened.ListenKey)
	must(err)
	return &ListenKey{stream, client, url.Values{"listenKey": {opened.ListenKey}}}
}

// Close extends the listen key's life, and ends it.
func (listened *ListenKey) Close() error {
	must(listened.client.Keyed("PUT", "/api/v3/userDataStream", listened.key, &struct{}{}))
	must(listened.client.Keyed("DELETE", "/api/v3/userDataStream", listened.key, &struct{}{}))
	return listened.Stream.Close()
}

func run(client *Client, account Source, given task) seen {
	trades, err := client.Open("/ws/" + strings.ToLower(given.Symbol) + "@trade")
	must(err)

	place := func(side, price string) order {
		terms := url.Values{
			"symbol": {given.Symbol}, "side": {side}, "type": {"LIMIT"}, "timeInForce": {"GTC"},
			"quantity": {given.Quantity}, "price": {price},
		}
		if given.Interface == "today" {
			// Today's interface prevents, by default, that an account trades with itself.
			terms.Set("selfTradePreventionMode", "NONE")
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

	events, err := Until(trades, "trade", 1)
	must(err)
	reports, err := Until(account, "executionReport", 6)
	must(err)
	result := seen{Statuses: []string{placed.Status, canceled.Status, taken.Status}, Trade: events[0]["p"]}
	for _, report := range reports {
		result.Reports = append(result.Reports, report["X"])
	}
	result.Withdrawal = withdraw(client, given.Withdrawal)
	must(trades.Close())
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
