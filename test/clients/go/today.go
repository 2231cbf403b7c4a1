// What clients of today's interface use: the WebSocket API with the account's events, and the orders of today, each
// placed by a signed request and over the WebSocket API.
package main

import (
	"crypto/ed25519"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/url"
	"strconv"
	"time"
)

type ed25519Key struct {
	APIKey, PrivateKey string
}

// API is a connection of the WebSocket API that is logged on, and the account's events that arrived between responses.
type API struct {
	*Stream
	sent   int
	events []Event
}

// message is a response, or an event.
type message struct {
	ID     int
	Status int
	Result json.RawMessage
	Error  json.RawMessage
	Event  Event
}

// LogOn opens a connection for the account of the key, and subscribes to its events.
func LogOn(client *Client, key ed25519Key) *API {
	stream, err := client.Open("/ws-api/v3")
	must(err)
	api := &API{Stream: stream}
	block, _ := pem.Decode([]byte(key.PrivateKey))
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	must(err)
	// The signature is of the parameters in the order of their names, as Encode sorts them.
	logon := url.Values{"apiKey": {key.APIKey}, "timestamp": {now()}}
	signature := ed25519.Sign(parsed.(ed25519.PrivateKey), []byte(logon.Encode()))
	logon.Set("signature", base64.StdEncoding.EncodeToString(signature))
	must(api.request("session.logon", logon, &struct{}{}))
	must(api.request("userDataStream.subscribe", nil, &struct{}{}))
	return api
}

func now() string {
	return strconv.FormatInt(time.Now().UnixMilli(), 10)
}

func (api *API) request(method string, parameters url.Values, into any) error {
	params := map[string]string{}
	for name := range parameters {
		params[name] = parameters.Get(name)
	}
	api.sent++
	if err := api.socket.WriteJSON(map[string]any{"id": api.sent, "method": method, "params": params}); err != nil {
		return err
	}
	for {
		var answer message
		if err := api.Read(&answer); err != nil {
			return err
		}
		if answer.Event != nil {
			api.events = append(api.events, answer.Event)
			continue
		}
		if answer.ID != api.sent || answer.Status != 200 {
			return fmt.Errorf("%s: %d %s", method, answer.Status, answer.Error)
		}
		return json.Unmarshal(answer.Result, into)
	}
}

// Next returns the next event of the account.
func (api *API) Next() (Event, error) {
	if len(api.events) > 0 {
		event := api.events[0]
		api.events = api.events[1:]
		return event, nil
	}
	var next message
	err := api.Read(&next)
	return next.Event, err
}

type request struct{ method, path, socket string }

var (
	cancelAll     = request{"DELETE", "/api/v3/openOrders", "openOrders.cancelAll"}
	newOrder      = request{"POST", "/api/v3/order", "order.place"}
	amend         = request{"PUT", "/api/v3/order/amend/keepPriority", "order.amend.keepPriority"}
	cancelReplace = request{"POST", "/api/v3/order/cancelReplace", "order.cancelReplace"}
	oto           = request{"POST", "/api/v3/orderList/oto", "orderList.place.oto"}
	otoco         = request{"POST", "/api/v3/orderList/otoco", "orderList.place.otoco"}
	opo           = request{"POST", "/api/v3/orderList/opo", "orderList.place.opo"}
	opoco         = request{"POST", "/api/v3/orderList/opoco", "orderList.place.opoco"}
)

// The last order of each kind: its report shows that all reports before it have arrived.
const end = "end-of-kind"

// NewKinds places each kind in both ways, and returns the reports.
func NewKinds(client *Client, api *API, given task) map[string]map[string][]Event {
	ways := map[string]func(request, url.Values, any) error{
		"rest": func(which request, parameters url.Values, into any) error {
			return client.Signed(which.method, which.path, parameters, into)
		},
		"socket": func(which request, parameters url.Values, into any) error {
			parameters.Set("timestamp", now())
			return api.request(which.socket, parameters, into)
		},
	}
	found := map[string]map[string][]Event{}
	for way, call := range ways {
		orders := orders{given, call}
		found[way] = map[string][]Event{}
		for kind, place := range map[string]func(){
			"trailing_stop": orders.trailingStop, "trailing_from": orders.trailingFrom, "pegged": orders.pegged,
			"oto": orders.oto, "otoco": orders.otoco, "opo": orders.opo, "opoco": orders.opoco,
			"amended": orders.amended, "self_trade": orders.selfTrade, "decremented": orders.decremented,
			"replaced": orders.replaced,
		} {
			place()
			orders.limit("BUY", given.Low, url.Values{"timeInForce": {"IOC"}, "newClientOrderId": {end}})
			found[way][kind] = reportsUntilEnd(api)
		}
	}
	return found
}

func reportsUntilEnd(api *API) []Event {
	found := []Event{}
	for {
		event, err := api.Next()
		must(err)
		switch {
		case event["e"] != "executionReport":
		case event["c"] != end:
			found = append(found, event)
		case event["X"] == "EXPIRED":
			return found
		}
	}
}

// orders places the new kinds; the account trades with itself, on a market of its own.
type orders struct {
	given task
	call  func(request, url.Values, any) error
}

// with adds the symbol and a list of names and values.
func (orders orders) with(parameters url.Values, pairs ...string) url.Values {
	result := url.Values{"symbol": {orders.given.Symbol}}
	for name, value := range parameters {
		result[name] = value
	}
	for i := 0; i < len(pairs); i += 2 {
		result.Set(pairs[i], pairs[i+1])
	}
	return result
}

func (orders orders) limit(side, price string, more url.Values) order {
	terms := orders.with(url.Values{
		"side": {side}, "type": {"LIMIT"}, "timeInForce": {"GTC"}, "quantity": {orders.given.Quantity},
		"price": {price}, "selfTradePreventionMode": {"NONE"},
	})
	for name, value := range more {
		terms[name] = value
	}
	var placed order
	must(orders.call(newOrder, terms, &placed))
	return placed
}

func (orders orders) cancelAll() {
	must(orders.call(cancelAll, orders.with(nil), &[]any{}))
}

func (orders orders) trailingStop() {
	terms := orders.with(nil, "side", "SELL", "type", "STOP_LOSS", "quantity", orders.given.Quantity)
	terms.Set("trailingDelta", "100")
	must(orders.call(newOrder, terms, &order{}))
	orders.cancelAll()
}

// trailingFrom places an order that trails once the market has risen to the stop price, twice the price of all trades.
func (orders orders) trailingFrom() {
	price, err := strconv.ParseFloat(orders.given.Price, 64)
	must(err)
	terms := orders.with(nil, "side", "SELL", "type", "TAKE_PROFIT", "quantity", orders.given.Quantity)
	terms.Set("stopPrice", fmt.Sprintf("%.8f", 2*price))
	terms.Set("trailingDelta", "100")
	must(orders.call(newOrder, terms, &order{}))
	orders.cancelAll()
}

func (orders orders) pegged() {
	orders.limit("BUY", orders.given.Low, nil)
	orders.limit("BUY", orders.given.Price, url.Values{"pegPriceType": {"PRIMARY_PEG"}})
	orders.cancelAll()
}

// list places a list, fills its working order, and cancels what it has placed.
func (orders orders) list(which request, pending ...string) {
	terms := orders.with(url.Values{
		"workingType": {"LIMIT"}, "workingSide": {"BUY"}, "workingTimeInForce": {"GTC"}, "pendingSide": {"SELL"},
		"workingPrice": {orders.given.Low}, "workingQuantity": {orders.given.Quantity},
		"selfTradePreventionMode": {"NONE"},
	}, pending...)
	var placed struct{ OrderReports []order }
	must(orders.call(which, terms, &placed))
	for i, report := range placed.OrderReports {
		if (report.Status == "PENDING_NEW") != (i > 0) {
			must(fmt.Errorf("%s: %v", which.path, placed.OrderReports))
		}
	}
	orders.limit("SELL", orders.given.Low, nil)
	orders.cancelAll()
}

func (orders orders) pendingLimit() []string {
	return []string{"pendingType", "LIMIT", "pendingTimeInForce", "GTC", "pendingPrice", orders.given.Price}
}

func (orders orders) oto() {
	orders.list(oto, append(orders.pendingLimit(), "pendingQuantity", orders.given.Quantity)...)
}

func (orders orders) pendingPair() []string {
	return []string{
		"pendingAboveType", "LIMIT_MAKER", "pendingAbovePrice", orders.given.Price,
		"pendingBelowType", "STOP_LOSS", "pendingBelowTrailingDelta", "100",
	}
}

func (orders orders) otoco() {
	orders.list(otoco, append(orders.pendingPair(), "pendingQuantity", orders.given.Quantity)...)
}

func (orders orders) opoco() {
	orders.list(opoco, orders.pendingPair()...)
}

func (orders orders) opo() {
	orders.list(opo, orders.pendingLimit()...)
}

func (orders orders) amended() {
	placed := orders.limit("BUY", orders.given.Low, nil)
	quantity, err := strconv.ParseFloat(orders.given.Quantity, 64)
	must(err)
	which := []string{"orderId", strconv.FormatInt(placed.OrderID, 10), "newQty", fmt.Sprintf("%.2f", quantity/2)}
	var answer struct{ AmendedOrder order }
	must(orders.call(amend, orders.with(nil, which...), &answer))
	if answer.AmendedOrder != placed {
		must(fmt.Errorf("amended: %v instead of %v", answer.AmendedOrder, placed))
	}
	orders.cancelAll()
}

func (orders orders) selfTrade() {
	orders.limit("SELL", orders.given.Price, nil)
	mode := url.Values{"timeInForce": {"IOC"}, "selfTradePreventionMode": {"EXPIRE_MAKER"}}
	orders.limit("BUY", orders.given.Price, mode)
}

func (orders orders) decremented() {
	mode := url.Values{"selfTradePreventionMode": {"DECREMENT"}}
	orders.limit("SELL", orders.given.Price, mode)
	if taker := orders.limit("BUY", orders.given.Price, mode); taker.Status != "EXPIRED_IN_MATCH" {
		must(fmt.Errorf("decremented: %v", taker))
	}
}

func (orders orders) replaced() {
	placed := orders.limit("BUY", orders.given.Low, nil)
	terms := orders.with(nil, "side", "BUY", "type", "LIMIT", "timeInForce", "GTC", "quantity", orders.given.Quantity,
		"price", orders.given.Low, "cancelReplaceMode", "STOP_ON_FAILURE",
		"cancelOrderId", strconv.FormatInt(placed.OrderID, 10))
	var answer struct{ CancelResult, NewOrderResult string }
	must(orders.call(cancelReplace, terms, &answer))
	if answer.CancelResult != "SUCCESS" || answer.NewOrderResult != "SUCCESS" {
		must(fmt.Errorf("replaced: %v", answer))
	}
	orders.cancelAll()
}
