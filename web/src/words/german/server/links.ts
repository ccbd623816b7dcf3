/** Sentences about links, ports, filters and captures, and about the process that carries the frames. */
export const linkRefusals: Readonly<Record<string, string>> = {
  'a link cannot join a node to itself': 'Ein Link kann einen Knoten nicht mit sich selbst verbinden',
  'link_id {id} is in use': 'Die link_id {id} ist vergeben',
  'nodes must be the two ends of the link': 'nodes muss die beiden Enden des Links nennen',
  'port {port} of {name} is already used by link {id}': 'Port {port} von {name} hat schon einen Link',
  'port {port} of {name} is used by link {id}': 'Port {port} von {name} hat schon einen Link',
  'port {port} of {name} has a link; delete that first': 'Port {port} von {name} hat einen Link; erst den löschen',
  'port {port} of {name} has a NIO': 'Port {port} von {name} hat schon eine NIO',
  'port {port} of {name} has a NIO already; update or delete it':
    'Port {port} von {name} hat schon eine NIO; ändern oder löschen',
  '{name} takes NIOs of type {types}, not {type}': '{name} nimmt NIOs vom Typ {types}, nicht {type}',
  '{a} is ethernet and {b} is serial': '{a} ist Ethernet und {b} seriell',
  '{a} is serial and {b} is ethernet': '{a} ist seriell und {b} Ethernet',
  '{a} {port} is {type} and {b} {other} is {back}': '{a} {port} ist {type} und {b} {other} ist {back}',
  '{a} and {b} both lead out of the lab and cannot be linked':
    '{a} und {b} führen beide aus dem Lab hinaus und lassen sich nicht verbinden',
  'the path to {address} takes packets of {octets} octets, and a frame of 1,500 octets needs {needed}: larger frames travel in fragments, which costs speed, and some firewalls drop them':
    'Der Weg zu {address} nimmt Pakete von {octets} Oktetten, und ein Frame von 1.500 Oktetten braucht {needed}: Größere Frames reisen in Fragmenten; das kostet Tempo, und manche Firewalls verwerfen sie',
  'UDP port {port} is in use by another program or cable':
    'Den UDP-Port {port} benutzt ein anderes Programm oder Kabel',
  'UDP port {port} of {host} is taken': 'der UDP-Port {port} von {host} ist vergeben',
  'UDP port {port} needs privileges': 'der UDP-Port {port} braucht Privilegien',
  'A UDP socket cannot be made: {reason}': 'ein UDP-Socket lässt sich nicht anlegen: {reason}',

  // Captures.
  'a capture already runs on this link': 'Auf diesem Link läuft schon ein Mitschnitt',
  'a capture already runs on this port': 'An diesem Port läuft schon ein Mitschnitt',
  'No capture runs on this link: start one with start_capture':
    'Auf diesem Link läuft kein Mitschnitt: mit start_capture einen starten',
  'the capture on this port is just starting or stopping; try again':
    'Der Mitschnitt an diesem Port startet oder endet gerade; noch einmal versuchen',
  'there is no running node on this link: start one of its ends first':
    'An diesem Link läuft kein Knoten: erst eines der Enden starten',
  'capture_file_name is needed': 'capture_file_name fehlt',
  '{file} leads out of the project; remove the link': '{file} führt aus dem Projekt hinaus; den Link entfernen',
  'the capture failed: {reason}': 'Der Mitschnitt ist gescheitert: {reason}',
  'the capture of {name} failed: {reason}': 'Der Mitschnitt von {name} ist gescheitert: {reason}',
  'A capture to {file} already runs at port {port}': 'an Port {port} läuft schon ein Mitschnitt nach {file}',
  'data_link_type {given} is not one of {types}': 'Den data_link_type {given} gibt es nicht; möglich: {types}',
  'rhost {host}: connect {reason}': 'rhost {host}: connect: {reason}',
  'frame {number} is of no conversation of UDP or TCP': 'Frame {number} gehört zu keinem Gespräch über UDP oder TCP',

  // Filters of links.
  'neither {names} can filter frames': 'Keiner von beiden kann Frames filtern: {names}',
  'neither {a} nor {b} knows the filter {filter}': 'Weder {a} noch {b} kennt den Filter {filter}',
  'there is no filter {name}; did you mean {meant}?': 'Den Filter {name} gibt es nicht; war {meant} gemeint?',
  'there is no filter {name}; possible: {possible}': 'Den Filter {name} gibt es nicht; möglich: {possible}',
  'filter seed is of both directions': 'Der Filter seed gilt für beide Richtungen',
  'filter {name} takes a text': 'Der Filter {name} nimmt einen Text',
  'filter {name} takes {count} values, not {given}': 'Der Filter {name} nimmt {count} Werte, nicht {given}',
  'filter {name} takes {count} value, not {given}': 'Der Filter {name} nimmt {count} Wert, nicht {given}',
  'filter {name}: {value} must be a number from {least} to {most}':
    'Filter {name}: {value} muss eine Zahl von {least} bis {most} sein',
  'filter {name}: {value} must be a whole number from {least} to {most}':
    'Filter {name}: {value} muss eine ganze Zahl von {least} bis {most} sein',
  'filter {name} needs a delay or jitter beside it': 'Der Filter {name} braucht delay oder jitter neben sich',
  'filter jitter: distribution must be {names}, or a table of 2 to {most} whole numbers':
    'Filter jitter: distribution muss {names} sein, oder eine Tabelle mit 2 bis {most} ganzen Zahlen',
  'filter bpf needs an expression, for example "icmp"': 'Der Filter bpf braucht einen Ausdruck, zum Beispiel "icmp"',
  'filter bpf takes expressions of up to {count} characters':
    'Der Filter bpf nimmt Ausdrücke mit bis zu {count} Zeichen',
  'filter bpf takes no control characters in an expression': 'Der Filter bpf nimmt keine Steuerzeichen im Ausdruck',
  'filter bpf "{filter}": tcpdump did not answer within {seconds} s':
    'Filter bpf "{filter}": tcpdump hat nicht innerhalb von {seconds} s geantwortet',
  'filter bpf "{filter}": {reason}': 'Filter bpf "{filter}": {reason}',
  'it answered no BPF program': 'es hat kein BPF-Programm geliefert',

  // Filters of packets.
  'filter: {reason}': 'Filter: {reason}',
  'a filter has at most {count} characters': 'ein Filter hat höchstens {count} Zeichen',
  '{field} is a protocol: it has no value of its own': '{field} ist ein Protokoll: Es hat selbst keinen Wert',
  '{field} is a MAC address, for example 00:50:79:66:68:00':
    '{field} ist eine MAC-Adresse, zum Beispiel 00:50:79:66:68:00',
  '{field} is octets: compare them by == or contains, with "text" or 0a:1b:2c':
    '{field} sind Oktette: mit == oder contains vergleichen, mit "text" oder 0a:1b:2c',
  '{field} is a flag: 0, 1, true or false': '{field} ist ein Flag: 0, 1, true oder false',
  '{field} is a number': '{field} ist eine Zahl',
  '{field} is an IPv4 address, for example 10.0.0.1 or 10.0.0.0/24':
    '{field} ist eine IPv4-Adresse, zum Beispiel 10.0.0.1 oder 10.0.0.0/24',
  '{field} is an IPv6 address, for example fe80::1 or fe80::/10':
    '{field} ist eine IPv6-Adresse, zum Beispiel fe80::1 oder fe80::/10',
  'there is no ( for this )': 'zu dieser ) gibt es keine (',
  'there is no ) for this (': 'zu dieser ( gibt es keine )',
  'too much inside of each other': 'zu viel ineinander',
  'expected a field or a protocol': 'hier fehlt ein Feld oder ein Protokoll',
  'expected a field or a protocol, not {given}': 'hier fehlt ein Feld oder ein Protokoll, nicht {given}',
  'expected a value': 'hier fehlt ein Wert',
  'this text has no closing quotation mark': 'diesem Text fehlt das schließende Anführungszeichen',
  'there is no sign {sign}': 'das Zeichen {sign} gibt es nicht',
  'tshark does not take it: {reason}': 'tshark nimmt das nicht: {reason}',

  // The process that carries the frames.
  'The node: {reason}': 'Der Knoten: {reason}',
  'The nodes: {reason}': 'Die Knoten: {reason}',
  'The console: {reason}': 'Die Konsole: {reason}',
  'The cable: {reason}': 'Das Kabel: {reason}',
  'The capture: {reason}': 'Der Mitschnitt: {reason}',
  'The capture to {file}: {reason}': 'Der Mitschnitt nach {file}: {reason}',
  'The project: {reason}': 'Das Projekt: {reason}',
  'The path: {reason}': 'Der Weg: {reason}',
  'The probe: {reason}': 'Die Probe: {reason}',
  'The watch: {reason}': 'Die Beobachtung: {reason}',
  'The recording: {reason}': 'Die Aufzeichnung: {reason}',
  'What was left over: {reason}': 'Was übrig war: {reason}',
  'The counters: {reason}': 'Die Zähler: {reason}',
  'The tables: {reason}': 'Die Tabellen: {reason}',
  'The fabric could not be started: {reason}': 'Der Prozess der Links ließ sich nicht starten: {reason}',
  'The fabric at {place} does not answer: {reason}': 'der Prozess der Links bei {place} antwortet nicht: {reason}',
  'The fabric does not answer: {reason}': 'der Prozess der Links antwortet nicht: {reason}',
  'The fabric refused the connection': 'der Prozess der Links hat die Verbindung abgelehnt',
  'The fabric refused the console': 'der Prozess der Links hat die Konsole abgelehnt',
  'The fabric did not understand the request': 'der Prozess der Links hat die Anfrage nicht verstanden',
  'The connection to the fabric is gone': 'die Verbindung zum Prozess der Links ist weg',
  'There is no fabric, and none could be started in time':
    'der Prozess der Links fehlt, und es ließ sich nicht rechtzeitig einer starten',
  'no fabric runs': 'der Prozess der Links läuft nicht',
  'it did not answer in time. {file} ends with: {output}':
    'er hat nicht rechtzeitig geantwortet. {file} endet mit: {output}',
  '{what} was not answered within {seconds} s': '{what} wurde nicht innerhalb von {seconds} s beantwortet',
  'Something else is attached to port {port}': 'an Port {port} hängt schon etwas anderes',
  'Something else is attached to port {port}; detach it first': 'an Port {port} hängt schon etwas anderes; erst lösen',
  'Port {port} already has cable {id}; a port takes one cable':
    'Port {port} hat schon das Kabel {id}; ein Port nimmt nur eines',
  'A cable has two ends; both of {id} are port {port}': 'ein Kabel hat zwei Enden; beide von {id} sind Port {port}',
  'There is no cable {id}': 'das Kabel {id} gibt es nicht',
  'Somebody listens at {place} already': 'bei {place} hört schon jemand',
  'Node {id} does not run': 'der Knoten {id} läuft nicht',
  'Node {id} already runs with other settings; stop it first':
    'der Knoten {id} läuft schon mit anderen Einstellungen; erst stoppen',
  'There is no model {name}': 'das Modell {name} gibt es nicht',
  'It does not run inside and sends no probes by itself; a check of its console can type ping':
    'Der Knoten läuft nicht innen und sendet selbst keine Proben; eine Prüfung der Konsole kann ping eintippen',
};
