/** Why the server does not do something with a node, or what it warns of. */
export const nodeRefusals: Readonly<Record<string, string>> = {
  '{key} is needed for a node of this kind': '{key} fehlt, und Knoten dieser Art brauchen es',
  '{key} is needed': '{key} fehlt',
  '{name} runs; stop it first': '{name} läuft; erst stoppen',
  '{name} is not started': '{name} läuft nicht',
  '{name} does not run': '{name} läuft nicht',
  '{name} is locked': '{name} ist gesperrt',
  '{name} is {state}; it must be {how} for this': '{name} ist {state}; dafür muss der Knoten {how} sein',
  'node {name} is {state} and cannot {action}': 'Der Knoten {name} ist {state}; {action} geht jetzt nicht',
  'node {name} is {state}: {action} is not possible now': 'Der Knoten {name} ist {state}; {action} geht jetzt nicht',
  '{fields} of {name} can change only while it is stopped': '{fields} von {name} geht nur bei gestopptem Knoten',
  'the console of {name} can change only while it is stopped':
    'Die Konsole von {name} lässt sich nur bei gestopptem Knoten ändern',
  'another node of the project is named {name}': 'Ein anderer Knoten des Projekts heißt schon {name}',
  'node_id {id} is in use': 'Die node_id {id} ist vergeben',
  'node_type {given} is not one of {kinds}': 'Den node_type {given} gibt es nicht; möglich: {kinds}',
  'console_type {given} is not one of {types}': 'Der console_type {given} geht hier nicht; möglich: {types}',
  'console_type {given} is not one of none': 'Der console_type {given} geht hier nicht; möglich: keiner',
  '{name} is of the unknown kind {kind}': '{name} ist von der unbekannten Art {kind}',
  'the kind {kind} is not known': 'die Art {kind} ist nicht bekannt',
  '{kind} is not a kind of node; possible: {kinds}': '{kind} ist keine Art von Knoten; möglich: {kinds}',
  'is not valid': 'ist nicht gültig',

  // Consoles.
  'console port {port} belongs to another node': 'Der Konsolenport {port} gehört einem anderen Knoten',
  'console port {port} is in use by another program': 'Den Konsolenport {port} benutzt ein anderes Programm',
  'console port {port} of {name} is taken; it has {now} now':
    'Der Konsolenport {port} von {name} ist vergeben; der Knoten hat jetzt {now}',
  'console port {port} of {name} is taken; it has none now':
    'Der Konsolenport {port} von {name} ist vergeben; der Knoten hat jetzt keinen',
  'console port {port} of {name} {problem}; it has {now} now':
    'Der Konsolenport {port} von {name} {problem}; der Knoten hat jetzt {now}',
  'is outside of {range}': 'liegt außerhalb von {range}',
  'every console port of {range} is taken': 'Alle Konsolenports von {range} sind vergeben',
  'every UDP port of {first}-{last} is taken': 'Alle UDP-Ports von {first} bis {last} sind vergeben',
  'no console port of {from} to {to} is free on {host}': 'auf {host} ist kein Konsolenport von {from} bis {to} frei',
  'aux: port {port} of {host} is in use': 'aux: Port {port} von {host} ist belegt',
  '{name} has no console that can be opened here': '{name} hat keine Konsole, die sich hier öffnen lässt',
  '{name} has no console port': '{name} hat keinen Konsolenport',
  '{name} has no console port: all are taken': '{name} hat keinen Konsolenport: Alle sind vergeben',
  '{name}: its screen at {host} {port} cannot be opened: {reason}':
    '{name}: Der Bildschirm bei {host} {port} lässt sich nicht öffnen: {reason}',
  'the console of {name} is not recorded: {reason}': 'Die Konsole von {name} wird nicht aufgezeichnet: {reason}',
  'Node {id} has no console': 'Der Knoten {id} hat keine Konsole',
  'Node {id} has no open console': 'Der Knoten {id} hat keine offene Konsole',
  'Node {id} has another console; close that first': 'Der Knoten {id} hat eine andere Konsole; erst die schließen',
  'the console cannot be opened while this server only reads: {reason}':
    'die Konsole lässt sich nicht öffnen, solange dieser Server nur liest: {reason}',
  'this server only reads: the log cannot be written': 'dieser Server liest nur: Das Log lässt sich nicht schreiben',
  'it has no console': 'der Knoten hat keine Konsole',

  // Files.
  '{name} has no directory for its files': '{name} hat kein Verzeichnis für Dateien',
  '{name} has no directory': '{name} hat kein Verzeichnis',
  'it has no directory for its files': 'der Knoten hat kein Verzeichnis für Dateien',
  'its directory cannot be written: {reason}': 'in das Verzeichnis des Knotens lässt sich nicht schreiben: {reason}',
  'its files cannot be prepared: {reason}': 'die Dateien des Knotens lassen sich nicht vorbereiten: {reason}',
  'this kind of node has no files': 'Knoten dieser Art haben keine Dateien',
  'the node: this kind of node has no files': 'Knoten dieser Art haben keine Dateien',
  "the node's files cannot be written: {reason}": 'Die Dateien des Knotens lassen sich nicht schreiben: {reason}',
  'nodes of this kind keep no configuration that can be read':
    'Knoten dieser Art haben keine Konfiguration, die sich lesen lässt',
  '{name} is {state}; its configuration can be read while it runs':
    '{name} ist {state}; die Konfiguration lässt sich lesen, solange der Knoten läuft',
  'its configuration has {octets} octets, more than {most}': 'die Konfiguration hat {octets} Oktette, mehr als {most}',
  '{name}: {place}, the directory of its project, is gone; put it back, or load the project file from where it is now':
    '{name}: {place}, das Verzeichnis des Projekts, ist weg; zurücklegen, oder die Projektdatei von ihrem neuen Ort laden',
  '{name}: {place} is gone; put its directory back, or give the node its text again':
    '{name}: {place} ist weg; das Verzeichnis zurücklegen, oder dem Knoten seinen Text noch einmal geben',
  '{place}, the directory of {name}, is gone; put it back, or load the project file from where it is now':
    '{place}, das Verzeichnis von {name}, ist weg; zurücklegen, oder die Projektdatei von ihrem neuen Ort laden',
  'destination_node_id is the node itself': 'destination_node_id ist der Knoten selbst',
  '{a} and {b} are not of one kind': '{a} und {b} sind nicht von derselben Art',

  // Its actions, and changes of its state.
  'this kind of node has no reload': 'Knoten dieser Art lassen sich nicht neu laden',
  'this kind of node cannot be duplicated': 'Knoten dieser Art lassen sich nicht duplizieren',
  'its engine cannot {action}': 'die Engine des Knotens kann das nicht ({action})',
  'its engine did not finish in time': 'die Engine des Knotens wurde nicht rechtzeitig fertig',
  'its simulated {action} fails, as simulate.fail says': 'das simulierte {action} scheitert, wie simulate.fail es sagt',
  'it ended at once: {output}': 'sofort beendet: {output}',
  'it ended at once: its log is empty': 'sofort beendet: Das Log ist leer',
  'it ended at once (code {code}): {what}': 'sofort beendet (Code {code}): {what}',
  'it ended at once (code {code}): it said nothing': 'sofort beendet (Code {code}), ohne Meldung',
  'it ended at once ({signal}): {what}': 'sofort beendet ({signal}): {what}',
  'it ended at once ({signal}): it said nothing': 'sofort beendet ({signal}), ohne Meldung',
  'it ended at once (code unknown): {what}': 'sofort beendet (Code unbekannt): {what}',
  'it ended at once (code unknown): it said nothing': 'sofort beendet (Code unbekannt), ohne Meldung',
  'it has ended at once': 'sofort beendet',
  'it said nothing': 'keine Meldung',
  'it does not run': 'läuft nicht',
  '{names} has ended in it, and it runs on; it said last: {said}':
    '{names} hat darin geendet, und er läuft weiter; zuletzt meldete er: {said}',
  'a program in it may not have started: {said}': 'ein Programm darin ist womöglich nicht gestartet: {said}',
  'it was interrupted': 'es wurde unterbrochen',
  'process {pids} does not end, not even by SIGKILL': 'der Prozess {pids} endet nicht, auch nicht durch SIGKILL',
  '{program} cannot be started: {reason}': '{program} lässt sich nicht starten: {reason}',
  'The weather crashed {name}': 'Das Wetter hat {name} abstürzen lassen',
  '{name} ended by signal {signal}': '{name} wurde durch das Signal {signal} beendet',
  '{name} ended by signal {signal}: {output}': '{name} wurde durch das Signal {signal} beendet: {output}',
  '{name} ended by signal unknown': '{name} wurde durch ein unbekanntes Signal beendet',
  '{name} ended by signal unknown: {output}': '{name} wurde durch ein unbekanntes Signal beendet: {output}',
  '{name} ended with code {code}': '{name} endete mit Code {code}',
  '{name} ended with code {code}: {output}': '{name} endete mit Code {code}: {output}',
  '{name} no longer runs: {reason}': '{name} läuft nicht mehr: {reason}',
  '{name} could not be started: {reason}': '{name} ließ sich nicht starten: {reason}',
  'auto start: {reason}': 'Automatischer Start: {reason}',

  // Hosts.
  '{field}: {reason}; only a server started with {flags} does that':
    '{field}: {reason}; das macht nur ein Server, der mit {flags} gestartet wurde',
  '{field}: {reason}; only a server started with --local or --allow-interface {name} does that':
    '{field}: {reason}; das macht nur ein Server, der mit --local oder --allow-interface {name} gestartet wurde',
  'a project elsewhere than where the server has them': 'ein Projekt woanders als bei denen des Servers',
  'a NIO of type {type} is at an interface of the server’s machine':
    'eine NIO vom Typ {type} ist an einem Interface der Maschine des Servers',
  'port {name} is at an interface of the server’s machine':
    'Port {name} ist an einem Interface der Maschine des Servers',
  '{path} reaches beyond the container': '{path} reicht über den Container hinaus',
  'its programs reach the server’s machine': 'seine Programme erreichen die Maschine des Servers',
  'it takes ports of the server’s machine': 'es belegt Ports der Maschine des Servers',
  'must be a network with 24 bits, such as 172.20.20.0/24': 'muss ein Netz mit 24 Bit sein, etwa 172.20.20.0/24',
  'must be an IPv4 address': 'muss eine IPv4-Adresse sein',
  'it is a network of the server’s machine': 'es ist ein Netz der Maschine des Servers',
  'it is a file of the server’s machine': 'es ist eine Datei der Maschine des Servers',
  'it is a path of the server’s machine, not the name of an image':
    'es ist ein Pfad der Maschine des Servers, nicht der Name eines Images',
  'it must be a qemu-system program of the machine': 'es muss ein qemu-system-Programm der Maschine sein',
  'it must be the name of a device': 'es muss der Name eines Geräts sein',
  '{option} is not among those that stay in the machine': '{option} gehört nicht zu denen, die in der Maschine bleiben',
  'a quote without its end is not among those that stay in the machine':
    'ein Anführungszeichen ohne Ende gehört nicht zu denen, die in der Maschine bleiben',
};
