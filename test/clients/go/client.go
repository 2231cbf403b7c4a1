// A client on Go's standard library, with gorilla's WebSocket for streams. It signs the text as it is sent,
// percent-encoded: parameters in the body of POST and PUT, time and signature in the query.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gorilla/websocket"
)

const timeout = 30 * time.Second

// Client calls the exchange for one account.
type Client struct {
	rest, ws, key, secret string
	http                  http.Client
}

// NewClient takes no proxy, whatever the machine has: the exchange is near.
func NewClient(rest, ws, key, secret string) *Client {
	near := http.Client{Timeout: timeout, Transport: &http.Transport{Proxy: nil}}
	return &Client{rest: rest, ws: ws, key: key, secret: secret, http: near}
}

// Signed calls with time and signature, and reads the answer into what `into` points to.
func (client *Client) Signed(method, path string, parameters url.Values, into any) error {
	form := parameters.Encode()
	query := "timestamp=" + strconv.FormatInt(time.Now().UnixMilli(), 10)
	if method == http.MethodGet || method == http.MethodDelete {
		query, form = form+"&"+query, ""
	}
	mac := hmac.New(sha256.New, []byte(client.secret))
	mac.Write([]byte(query + form))
	return client.send(method, path+"?"+query+"&signature="+hex.EncodeToString(mac.Sum(nil)), form, into)
}

// Keyed calls with the key alone.
func (client *Client) Keyed(method, path string, parameters url.Values, into any) error {
	return client.send(method, path+"?"+parameters.Encode(), "", into)
}

func (client *Client) send(method, target, form string, into any) error {
	request, err := http.NewRequest(method, client.rest+target, strings.NewReader(form))
	if err != nil {
		return err
	}
	request.Header.Set("X-MBX-APIKEY", client.key)
	if form != "" {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	answer, err := client.http.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s %s: %d %s", method, target, answer.StatusCode, body)
	}
	return json.Unmarshal(body, into)
}

// Event is an event by the names of its fields, of which some differ only in case: encoding/json could confuse those in
// a struct.
type Event map[string]any

// Source is where events come from.
type Source interface {
	Next() (Event, error)
	Close() error
}

// Stream is an open WebSocket.
type Stream struct {
	socket *websocket.Conn
}

// Open opens one at a path.
func (client *Client) Open(path string) (*Stream, error) {
	dialer := websocket.Dialer{HandshakeTimeout: timeout}
	socket, _, err := dialer.Dial(client.ws+path, nil)
	if err != nil {
		return nil, err
	}
	return &Stream{socket}, nil
}

// Read reads the next message into what `into` points to.
func (stream *Stream) Read(into any) error {
	if err := stream.socket.SetReadDeadline(time.Now().Add(timeout)); err != nil {
		return err
	}
	return stream.socket.ReadJSON(into)
}

// Next reads the next event.
func (stream *Stream) Next() (Event, error) {
	var event Event
	err := stream.Read(&event)
	return event, err
}

// Until reads the next `count` events of a kind.
func Until(source Source, kind string, count int) ([]Event, error) {
	var found []Event
	for len(found) < count {
		event, err := source.Next()
		if err != nil {
			return nil, err
		}
		if event["e"] == kind {
			found = append(found, event)
		}
	}
	return found, nil
}

// Close says goodbye.
func (stream *Stream) Close() error {
	goodbye := websocket.FormatCloseMessage(websocket.CloseNormalClosure, "")
	if err := stream.socket.WriteMessage(websocket.CloseMessage, goodbye); err != nil {
		return err
	}
	return stream.socket.Close()
}
