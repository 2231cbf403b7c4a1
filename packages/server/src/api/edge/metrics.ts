/** Metrics of clients: connections, requests and WebSockets. */
import type { Metrics } from "../../platform/observe/metrics.ts";
import type { HttpEdge } from "./http/edge.ts";
import type { Sockets } from "./sockets/sockets.ts";

type Watched = Pick<Metrics, "gauge" | "counter" | "counterBy">;

export function watchHttp(metrics: Watched, http: HttpEdge): void {
  metrics.gauge("pricetime_open_connections", "Open client connections", () => http.openConnections);
  metrics.gauge("pricetime_requests_in_flight", "Requests without a response yet", () => http.inFlight);
  const lanes = "HTTP requests, by parser";
  metrics.counterBy("lane", "pricetime_http_requests_total", lanes, () => http.requestsByLane);
  const handshakes = "TLS handshakes on the client port, by outcome";
  metrics.counterBy("outcome", "pricetime_tls_handshakes_total", handshakes, () => http.handshakes);
  metrics.gauge("pricetime_send_buffer_bytes", "Bytes of responses in send buffers", () => http.unreadBytes);
  const dropped = "Connections closed because the client did not read";
  metrics.counter("pricetime_connections_dropped_total", dropped, () => http.slowDropped);
}

export function watchSockets(metrics: Watched, sockets: Sockets): void {
  metrics.gauge("pricetime_sockets_open", "Open WebSockets", () => sockets.open);
  metrics.counter("pricetime_stream_messages_total", "Messages sent to WebSockets", () => sockets.messagesSent);
  metrics.counter(
    "pricetime_sockets_dropped_total",
    "WebSockets closed because the client did not read in time",
    () => sockets.slowDropped,
  );
  metrics.gauge(
    "pricetime_sockets_send_buffer_bytes",
    "Bytes in the send buffers of WebSockets",
    () => sockets.unreadBytes,
  );
}
