#!/bin/sh
# configure.sh ADDRESS ADDRESS ADDRESS: what is different on each of three machines, into ./machines/1, 2 and 3.
#
# The addresses are those on the network that only these machines share. Copy each folder to its machine, as
# /etc/pricetime, and keep machines/ca.key where no machine has it: who has it can join as a member or a node.
set -eu
[ $# = 3 ] || { echo "usage: configure.sh ADDRESS ADDRESS ADDRESS" >&2; exit 2; }
umask 077
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p machines
cd machines

# One authority, for this cluster and nothing else: it says who is one of these machines.
if [ ! -e ca.key ]; then
  openssl ecparam -genkey -name prime256v1 -noout -out ca.key
  openssl req -x509 -new -key ca.key -days 3650 -subj "/CN=pricetime cluster" -out ca.pem
fi
# What all nodes share. Keep a copy: without it secrets of API keys are lost.
[ -e master.key ] || openssl rand -hex 32 > master.key

members="e1=https://$1:2380,e2=https://$2:2380,e3=https://$3:2380"
endpoints="https://$1:2379,https://$2:2379,https://$3:2379"
number=0
for address in "$@"; do
  number=$((number + 1))
  mkdir -p "$number/tls"
  cp ca.pem "$number/tls/ca.pem"
  cp "$here/etcd.env" "$number/etcd.env"
  if [ ! -e "$number/tls/machine.pem" ]; then
    key="$number/tls/machine-key.pem"
    openssl ecparam -genkey -name prime256v1 -noout -out "$key"
    openssl req -new -key "$key" -subj "/CN=n$number" -out "$number/request"
    printf 'subjectAltName=IP:%s\nextendedKeyUsage=serverAuth,clientAuth\n' "$address" > "$number/extensions"
    openssl x509 -req -in "$number/request" -CA ca.pem -CAkey ca.key -CAcreateserial -days 1825 \
      -extfile "$number/extensions" -out "$number/tls/machine.pem" 2>/dev/null
    rm "$number/request" "$number/extensions"
    cat "$number/tls/machine.pem" "$key" > "$number/tls/haproxy.pem"
  fi
  cat > "$number/member.env" <<END
# The member of etcd on this machine.
ETCD_NAME=e$number
ETCD_INITIAL_CLUSTER=$members
ETCD_INITIAL_CLUSTER_TOKEN=pricetime
ETCD_INITIAL_CLUSTER_STATE=new
ETCD_LISTEN_PEER_URLS=https://$address:2380
ETCD_INITIAL_ADVERTISE_PEER_URLS=https://$address:2380
ETCD_LISTEN_CLIENT_URLS=https://$address:2379
ETCD_ADVERTISE_CLIENT_URLS=https://$address:2379
ETCD_LISTEN_METRICS_URLS=http://127.0.0.1:2381
ETCD_TRUSTED_CA_FILE=/etc/pricetime/tls/ca.pem
ETCD_CERT_FILE=/etc/pricetime/tls/machine.pem
ETCD_KEY_FILE=/etc/pricetime/tls/machine-key.pem
ETCD_CLIENT_CERT_AUTH=true
ETCD_PEER_TRUSTED_CA_FILE=/etc/pricetime/tls/ca.pem
ETCD_PEER_CERT_FILE=/etc/pricetime/tls/machine.pem
ETCD_PEER_KEY_FILE=/etc/pricetime/tls/machine-key.pem
ETCD_PEER_CLIENT_CERT_AUTH=true
END
  cat > "$number/environment" <<END
# The node on this machine.
PRICETIME_NODE=n$number
PRICETIME_HOST=$address
PRICETIME_MASTER_KEY=$(cat master.key)
PRICETIME_CLUSTER=$endpoints
PRICETIME_CLUSTER_CA_FILE=/etc/pricetime/tls/ca.pem
PRICETIME_CLUSTER_CERT_FILE=/etc/pricetime/tls/machine.pem
PRICETIME_CLUSTER_KEY_FILE=/etc/pricetime/tls/machine-key.pem
PRICETIME_CLUSTER_ADMIN_URL=https://$address:8481
# The authority of the other nodes' admin ports.
NODE_EXTRA_CA_CERTS=/etc/pricetime/tls/ca.pem
END
  cat > "$number/haproxy.env" <<END
# The proxy on this machine: its own address and those of all three.
ADDRESS=$address
N1=$1
N2=$2
N3=$3
END
  cat > "$number/pricetime.yaml" <<END
# The same on all machines: what the exchange lists, its filters, fees and limits
# (docs/operate/config.example.yaml). A node whose own differs from the journal's does not start.
demo: false
http: { trustedProxies: ["$1", "$2", "$3"] }
END
  # Units have users of their own, who may read all but the keys, and what is in `environment`.
  chmod 755 "$number" "$number/tls"
  chmod 644 "$number/pricetime.yaml" "$number"/*.env "$number/tls/ca.pem" "$number/tls/machine.pem"
done
echo "written: $(pwd)/1, 2 and 3"
