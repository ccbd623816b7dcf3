import { ARP, CONTROL, DHCP, DNS, ICMP, LINKS, PROTOCOLS } from './values.ts';

export type Sort = 'protocol' | 'number' | 'hex' | 'flag' | 'mac' | 'ipv4' | 'ipv6' | 'octets' | 'text';

/** Label, sort and value names of a field. */
export interface Described {
  label: string;
  sort: Sort;
  /** Names of values. */
  values?: Readonly<Record<number, string>>;
}

/** Name and label of fields, by sort. */
const FIELDS: Readonly<Record<Exclude<Sort, 'protocol'>, string>> = {
  number: `
frame.number=Number
frame.time_epoch=Time, seconds since 1970
frame.len=Octets on the link
frame.cap_len=Octets captured
eth.len=Length
vlan.priority=Priority
vlan.id=VLAN
ieee8021ad.priority=Priority
ieee8021ad.id=VLAN
fr.dlci=DLCI
arp.hw.size=Hardware size
arp.proto.size=Protocol size
ip.version=Version
ip.hdr_len=Header length
ip.len=Total length
ip.frag_offset=Fragment offset
ip.ttl=Time to live
ipv6.version=Version
ipv6.plen=Payload length
ipv6.hlim=Hop limit
icmp.seq=Sequence number
icmp.mtu=MTU of next hop
icmpv6.echo.sequence_number=Sequence number
icmpv6.nd.ra.cur_hop_limit=Hop limit
icmpv6.nd.ra.router_lifetime=Router lifetime (s)
icmpv6.opt.length=Length (8 octets)
icmpv6.opt.prefix.length=Prefix length
icmpv6.opt.mtu=MTU
udp.srcport=Source port
udp.dstport=Destination port
udp.length=Length
tcp.srcport=Source port
tcp.dstport=Destination port
tcp.len=Payload length
tcp.seq_raw=Sequence number
tcp.ack_raw=Acknowledgment number
tcp.hdr_len=Header length
tcp.window_size_value=Window
tcp.urgent_pointer=Urgent pointer
dhcp.hw.len=Hardware address length
dhcp.hops=Hops
dhcp.secs=Seconds elapsed
dhcp.option.length=Length
dhcp.option.ip_address_lease_time=Lease time (s)
dhcp.option.renewal_time_value=Renewal time (s)
dhcp.option.rebinding_time_value=Rebinding time (s)
dns.count.queries=Questions
dns.count.answers=Answers
dns.count.auth_rr=Authority records
dns.count.add_rr=Additional records
dns.resp.ttl=Time to live (s)
dns.resp.len=Data length
http.response.code=Status code
stp.version=Version
stp.root.prio=Root priority
stp.root.ext=Root system ID
stp.root.cost=Root path cost
stp.bridge.prio=Bridge priority
stp.bridge.ext=Bridge system ID
stp.msg_age=Message age (s)
stp.max_age=Maximum age (s)
stp.hello=Hello time (s)
stp.forward=Forward delay (s)
lldp.tlv.len=Length
lldp.time_to_live=Time to live (s)
lldp.chassis.subtype=Chassis ID subtype
lldp.port.subtype=Port ID subtype
cdp.version=Version
cdp.ttl=Time to live (s)
cdp.tlv.len=Length
data.len=Length
lldp.tlv.type=Type
icmpv6.opt.type=Type
dhcp.option.type=Type
icmp.code=Code
icmpv6.code=Code`,
  hex: `
eth.type=Type
vlan.etype=Type
ieee8021ad.type=Type
llc.dsap=DSAP
llc.ssap=SSAP
llc.control=Control
llc.oui=Organisation
llc.type=Type
llc.cisco_pid=Protocol
chdlc.address=Address
chdlc.protocol=Protocol
ppp.protocol=Protocol
arp.hw.type=Hardware type
arp.proto.type=Protocol type
arp.opcode=Operation
ip.dsfield=Differentiated services
ip.id=Identification
ip.proto=Protocol
ip.checksum=Header checksum
ipv6.tclass=Traffic class
ipv6.flow=Flow label
ipv6.nxt=Next header
ipv6.ext.nxt=Next header
ipv6.fraghdr.nxt=Next header
icmp.type=Type
icmp.checksum=Checksum
icmp.ident=Identifier
icmpv6.type=Type
icmpv6.checksum=Checksum
icmpv6.echo.identifier=Identifier
udp.checksum=Checksum
tcp.flags=Flags
tcp.checksum=Checksum
dhcp.type=Message
dhcp.hw.type=Hardware type
dhcp.id=Transaction
dhcp.flags=Flags
dhcp.option.dhcp=DHCP message type
dns.id=Transaction
dns.flags=Flags
dns.flags.opcode=Operation
dns.flags.rcode=Reply code
dns.qry.type=Type
dns.qry.class=Class
dns.resp.type=Type
dns.resp.class=Class
stp.protocol=Protocol
stp.type=BPDU type
stp.flags=Flags
stp.port=Port
cdp.checksum=Checksum
cdp.tlv.type=Type`,
  flag: `
vlan.dei=Drop eligible
ieee8021ad.dei=Drop eligible
fr.fecn=FECN
fr.becn=BECN
fr.de=Discard eligible
ip.flags.df=Don't fragment
ip.flags.mf=More fragments
icmpv6.nd.na.flag.r=Router
icmpv6.nd.na.flag.s=Solicited
icmpv6.nd.na.flag.o=Override
tcp.flags.fin=FIN
tcp.flags.syn=SYN
tcp.flags.reset=RST
tcp.flags.push=PSH
tcp.flags.ack=ACK
tcp.flags.urg=URG
dns.flags.response=Response
dns.flags.authoritative=Authoritative
dns.flags.truncated=Truncated
dns.flags.recdesired=Recursion desired
stp.flags.tc=Topology change
stp.flags.tcack=Topology change acknowledged`,
  mac: `
eth.dst=Destination
eth.src=Source
arp.src.hw_mac=Sender MAC address
arp.dst.hw_mac=Target MAC address
icmpv6.opt.linkaddr=Link-layer address
dhcp.hw.mac_addr=Client MAC address
stp.root.hw=Root bridge
stp.bridge.hw=Bridge
lldp.chassis.id.mac=Chassis ID
lldp.port.id.mac=Port ID`,
  ipv4: `
arp.src.proto_ipv4=Sender address
arp.dst.proto_ipv4=Target address
ip.src=Source
ip.dst=Destination
icmp.redir_gw=Gateway
dhcp.cookie=Magic cookie
dhcp.ip.client=Client address
dhcp.ip.your=Your address
dhcp.ip.server=Next server
dhcp.ip.relay=Relay agent
dhcp.option.subnet_mask=Subnet mask
dhcp.option.router=Router
dhcp.option.domain_name_server=Domain name server
dhcp.option.broadcast_address=Broadcast address
dhcp.option.requested_ip_address=Requested address
dhcp.option.dhcp_server_id=DHCP server
dns.a=Address`,
  ipv6: `
ipv6.src=Source
ipv6.dst=Destination
icmpv6.nd.ns.target_address=Target address
icmpv6.nd.na.target_address=Target address
icmpv6.opt.prefix=Prefix
dns.aaaa=Address`,
  octets: `
ip.options=Options
tcp.options=Options
tcp.payload=Payload
dhcp.option.value=Value
dns.resp.data=Data
data.data=Data`,
  text: `
dhcp.option.hostname=Host name
dhcp.option.domain_name=Domain name
dns.qry.name=Name
dns.resp.name=Name
dns.cname=Canonical name
dns.ns=Name server
dns.ptr.domain_name=Domain name
http.request.method=Method
http.request.uri=URI
http.request.version=Version
http.response.version=Version
http.response.phrase=Phrase
lldp.port.desc=Port description
lldp.tlv.system.name=System name
lldp.tlv.system.desc=System description
lldp.chassis.id=Chassis ID
lldp.port.id=Port ID
cdp.deviceid=Device
cdp.portid=Port
cdp.software_version=Software
cdp.platform=Platform`,
};

const VALUES: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  ...LINKS,
  ...ARP,
  ...ICMP,
  ...DHCP,
  ...DNS,
  ...CONTROL,
};

/** Filter names that stand for either of two fields. */
export const EITHER: Readonly<Record<string, readonly [string, string]>> = {
  'eth.addr': ['eth.src', 'eth.dst'],
  'ip.addr': ['ip.src', 'ip.dst'],
  'ipv6.addr': ['ipv6.src', 'ipv6.dst'],
  'udp.port': ['udp.srcport', 'udp.dstport'],
  'tcp.port': ['tcp.srcport', 'tcp.dstport'],
};

const rows = (sort: Sort, text: string): [string, Described][] =>
  text
    .trim()
    .split('\n')
    .map((row) => {
      const [name = '', label = ''] = row.split('=');
      const values = VALUES[name];
      return [name, { label, sort, ...(values && { values }) }];
    });

/** Every field and protocol that a frame can have here. */
export const DESCRIBED: ReadonlyMap<string, Described> = new Map([
  ...Object.entries(PROTOCOLS).map(([name, label]): [string, Described] => [name, { label, sort: 'protocol' }]),
  ...Object.entries(FIELDS).flatMap(([sort, text]) => rows(sort as Exclude<Sort, 'protocol'>, text)),
]);

/** Description of a name in a filter; undefined: there is no such field or protocol. */
export const describe = (name: string): Described | undefined => DESCRIBED.get(EITHER[name]?.[0] ?? name);
