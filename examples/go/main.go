// Trades with Go's standard library and receives reports with gorilla's WebSocket package.
//
//	cd examples/go && go run .                         with the demo whose keys are in ../../data/demo.json
//	EXCHANGE=http://… API_KEY=… SECRET_KEY=… go run .   with another exchange
//
// With Debian's packages (golang-go, golang-github-gorilla-websocket-dev) instead of a module:
//
//	GO111MODULE=off GOPATH=/usr/share/gocode go run .
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/gorilla/websocket"
)

const symbol = "ETHUSDT"

// Account has the exchange's address and the account's keys.
type Account struct{ Exchange, APIKey, SecretKey string }

// Order has the fields of an order that this example uses.
type Order struct {
	OrderID     int64  `json:"orderId"`
	Status      string `json:"status"`
	ExecutedQty string `json:"executedQty"`
}

// Report has the fields of a user data stream event that this example uses. Fields whose names differ only in case must
// both be declared, because encoding/json ignores case otherwise.
type Report struct {
	Event      string `json:"e"`
	Time       int64  `json:"E"`
	Status     string `json:"X"`
	Execution  string `json:"x"`
	OrderID    int64  `json:"i"`
	Ignored    any    `json:"I"`
	Cumulative string `json:"z"`
	Quote      any    `json:"Z"`
}

func main() {
	log.SetFlags(0)
	account := settings()

	// A listen key expires after an hour; a bot that runs longer renews it with PUT every half hour.
	var listen struct{ ListenKey string }
	account.call("POST", "/api/v3/userDataStream", nil, false, &listen)
	address := strings.Replace(account.Exchange, "http", "ws", 1) + "/ws/" + listen.ListenKey
	stream, _, err := websocket.DefaultDialer.Dial(address, nil)
	must(err)
	defer stream.Close()

	var ticker struct{ BidPrice, AskPrice string }
	account.call("GET", "/api/v3/ticker/bookTicker", url.Values{"symbol": {symbol}}, false, &ticker)
	fmt.Printf("%s: bid %s, ask %s\n", symbol, ticker.BidPrice, ticker.AskPrice)

	var bought, resting, canceled Order
	terms := url.Values{"symbol": {symbol}, "side": {"BUY"}, "type": {"MARKET"}, "quoteOrderQty": {"50"}}
	account.call("POST", "/api/v3/order", terms, true, &bought)
	fmt.Printf("order %d is %s: bought %s\n", bought.OrderID, bought.Status, bought.ExecutedQty)
	waitFor(stream, "FILLED")

	bid, err := strconv.ParseFloat(ticker.BidPrice, 64)
	must(err)
	terms = url.Values{
		"symbol": {symbol}, "side": {"BUY"}, "type": {"LIMIT"}, "timeInForce": {"GTC"},
		"quantity": {"0.1"}, "price": {strconv.FormatFloat(bid*0.9, 'f', 2, 64)},
	}
	account.call("POST", "/api/v3/order", terms, true, &resting)
	waitFor(stream, "NEW")
	which := url.Values{"symbol": {symbol}, "orderId": {strconv.FormatInt(resting.OrderID, 10)}}
	account.call("DELETE", "/api/v3/order", which, true, &canceled)
	waitFor(stream, "CANCELED")
	fmt.Printf("order %d: %s, then %s\n", resting.OrderID, resting.Status, canceled.Status)

	account.call("DELETE", "/api/v3/userDataStream", url.Values{"listenKey": {listen.ListenKey}}, false, &struct{}{})
}

// waitFor prints reports of our orders until one of them has the given status.
func waitFor(stream *websocket.Conn, status string) {
	for {
		var report Report
		must(stream.SetReadDeadline(time.Now().Add(20 * time.Second)))
		must(stream.ReadJSON(&report))
		if report.Event != "executionReport" {
			continue
		}
		fmt.Printf("report: order %d is %s, %s filled\n", report.OrderID, report.Status, report.Cumulative)
		if report.Status == status {
			return
		}
	}
}

// call sends one request and decodes the answer. All parameters are in the query; the signature covers them and comes last.
func (account Account) call(method, path string, parameters url.Values, signed bool, into any) {
	query := parameters.Encode()
	if signed {
		query += "&timestamp=" + strconv.FormatInt(time.Now().UnixMilli(), 10)
		mac := hmac.New(sha256.New, []byte(account.SecretKey))
		mac.Write([]byte(query))
		query += "&signature=" + hex.EncodeToString(mac.Sum(nil))
	}
	request, err := http.NewRequest(method, account.Exchange+path+"?"+query, nil)
	must(err)
	request.Header.Set("X-MBX-APIKEY", account.APIKey)
	answer, err := http.DefaultClient.Do(request)
	must(err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	must(err)
	if answer.StatusCode != http.StatusOK {
		log.Fatalf("%s %s: %d %s", method, path, answer.StatusCode, body)
	}
	must(json.Unmarshal(body, into))
}

// settings returns address and keys from the environment, or from the demo's file.
func settings() Account {
	if key := os.Getenv("API_KEY"); key != "" {
		return Account{or(os.Getenv("EXCHANGE"), "http://127.0.0.1:8080"), key, os.Getenv("SECRET_KEY")}
	}
	file, err := os.ReadFile(or(os.Getenv("DEMO_JSON"), "../../data/demo.json"))
	must(err)
	var demo struct {
		Rest     string
		Accounts []Account
	}
	must(json.Unmarshal(file, &demo))
	first := demo.Accounts[0]
	return Account{or(os.Getenv("EXCHANGE"), demo.Rest), first.APIKey, first.SecretKey}
}

func or(value, otherwise string) string {
	if value == "" {
		return otherwise
	}
	return value
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
