/** Where busybox's DHCP client looks for what does with a lease as it is told. */
export const UDHCPC_SCRIPT = 'etc/udhcpc/default.script';

/** Gives the interface its address, the way out and the name server of a lease; `mask` is a number of bits. */
export const UDHCPC_CONTENT = `#!/bin/sh
case $1 in
  deconfig) ip link set dev $interface up ;;
  bound|renew)
    ip addr add $ip/$mask dev $interface
    for gateway in $router; do ip route add default via $gateway dev $interface; done
    for server in $dns; do echo nameserver $server; done > /etc/resolv.conf ;;
esac
`;
