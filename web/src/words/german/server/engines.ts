/** Refusals of the engines of routers, switches, PCs, clouds and containers, and about the images of all. */
export const engineRefusals: Readonly<Record<string, string>> = {
  '{name} is not an engine of {kind}; possible: {possible}': '{name} ist keine Engine von {kind}; möglich: {possible}',

  // Images.
  'the image {file} cannot be used: {reason}': 'Das Image {file} lässt sich nicht verwenden: {reason}',
  '{field} {name} is not there; looked for in {places}': '{field}: {name} ist nicht da; gesucht in {places}',
  '{field} {file} is outside {places}; put the image into one of them':
    '{field}: {file} liegt außerhalb von {places}; das Image gehört in eines davon',
  '{field} {name} is a link that leads out of {places}; put the image there':
    '{field}: {name} ist ein Link, der aus {places} hinausführt; das Image gehört dorthin',
  '{field} {name} leads out of the directory of images': '{field}: {name} führt aus dem Verzeichnis der Images hinaus',
  '{field} {file} has the MD5 sum {sum}, and {other} of the node is {expected}':
    '{field}: {file} hat die MD5-Summe {sum}, und {other} des Knotens ist {expected}',
  'the name of an image may have {count} octets': 'Der Name eines Images darf {count} Oktette haben',
  '{ending} files are made by the server': 'Dateien mit {ending} macht der Server',
  'there is no such place for an image': 'einen solchen Ort für ein Image gibt es nicht',
  '{file} does not read back as it should: its checksum is another one':
    '{file} liest sich nicht so, wie es sollte: Die Prüfsumme ist eine andere',

  // Routers and switches of images.
  'image {file} is no image of a router: it does not begin as a big-endian ELF file of 32 bits':
    'Das Image {file} ist keines eines Routers: Es beginnt nicht wie eine ELF-Datei (32 Bit, Big Endian)',
  'image {file} is not whole: it has {bytes} bytes of at least {least}':
    'Das Image {file} ist nicht vollständig: Es hat {bytes} von mindestens {least} Bytes',
  'image {file} {reason}': 'Das Image {file} {reason}',
  'image {file} has a double quote or a line end in its path; the emulator takes none':
    'Der Pfad des Images {file} enthält Anführungszeichen oder einen Zeilenumbruch; der Emulator nimmt das nicht',
  'startup_config_content and private_config_content: {size} kB do not fit into the NVRAM of {name}; make them shorter':
    'startup_config_content und private_config_content: {size} kB passen nicht in das NVRAM von {name}; kürzen',
  'startup_config_content and private_config_content: {size} kB do not fit into the NVRAM of {name}; make them shorter, or nvram larger':
    'startup_config_content und private_config_content: {size} kB passen nicht in das NVRAM von {name}; kürzen, oder nvram vergrößern',
  '{name}: no engine cannot measure idle-PC values; they need Dynamips, which runs the router from its own image':
    '{name}: Ohne Engine lassen sich keine Idle-PC-Werte messen; das geht mit Dynamips, das den Router mit seinem eigenen Image ausführt',
  '{name}: {engine} engine cannot measure idle-PC values; they need Dynamips, which runs the router from its own image':
    '{name}: Die Engine ({engine}) kann keine Idle-PC-Werte messen; das geht mit Dynamips, das den Router mit seinem eigenen Image ausführt',
  'no idle-PC value was found; let it boot to its prompt and try again':
    'es wurde kein Idle-PC-Wert gefunden; bis zum Prompt booten lassen und noch einmal versuchen',
  'no idle-PC value was found': 'es wurde kein Idle-PC-Wert gefunden',
  'the file says no ram; it has {ram} MB, as was usual':
    'die Datei nennt kein ram; es sind {ram} MB, wie es üblich war',
  'the file says no {field}; it has {value}, which goes with its other settings and ports':
    'die Datei nennt kein {field}; es ist {value}, was zu den übrigen Einstellungen und Ports passt',
  'chassis of a {platform} must be one of {possible}': 'Das chassis von {platform} muss eines von {possible} sein',
  '{slot} of this {platform} does not exist, so {card} does not fit':
    '{slot} gibt es bei {platform} nicht, also passt {card} nicht',
  '{slot} of this {platform} takes {cards}, not {card}': '{slot} von {platform} nimmt {cards}, nicht {card}',
  'path {file} is no IOU image: those are ELF programs for i386 or x86-64 (images of real devices are not)':
    'path: {file} ist kein IOU-Image; das sind ELF-Programme für i386 oder x86-64 (Images echter Geräte sind keine)',
  'path {file} is a program of {bits} bits and needs {loader}: {install}':
    'path: {file} ist ein Programm mit {bits} Bit und braucht {loader}: {install}',
  'path {file} needs {loader}, which this machine does not have':
    'path: {file} braucht {loader}, was diese Maschine nicht hat',
  'path {file} cannot be read: {reason}': 'path: {file} lässt sich nicht lesen: {reason}',
  'path {file} is not executable (chmod +x {same}): {reason}':
    'path: {file} ist nicht ausführbar (chmod +x {same}): {reason}',
  'application_id {id} is in use by {other}; give one of them another one (1 to {most})':
    'die application_id {id} hat schon {other}; einem von beiden eine andere geben (1 bis {most})',
  'application_id {id} is in use by process {pid}, which this server did not start; give one of them another one (1 to {most})':
    'die application_id {id} hat schon der Prozess {pid}, den dieser Server nicht gestartet hat; einem von beiden eine andere geben (1 bis {most})',
  'all application ids from 1 to {most} are in use': 'alle application_ids von 1 bis {most} sind vergeben',
  'ethernet_adapters and serial_adapters are {ethernet} and {serial}; together they can be 16 at most':
    'ethernet_adapters und serial_adapters sind {ethernet} und {serial}; zusammen können es höchstens 16 sein',
  '{image} has no layer 1 keepalives; set l1_keepalives to false':
    '{image} hat keine Layer-1-Keepalives; l1_keepalives auf false setzen',
  'There is no IOU licence: looked for in {places}; send it as iourc_content, or start with license_check false':
    'Es gibt keine IOU-Lizenz: gesucht in {places}; als iourc_content mitgeben, oder mit license_check false starten',
  'The IOU licence {file} cannot be read: {reason}': 'Die IOU-Lizenz {file} lässt sich nicht lesen: {reason}',
  'The IOU licence {file} has no section [license]': 'Die IOU-Lizenz {file} hat keinen Abschnitt [license]',
  'The IOU licence {file} has no line for this host: {host} = <key>;':
    'Die IOU-Lizenz {file} hat keine Zeile für diesen Host: {host} = <Schlüssel>;',
  'The IOU licence {file} has a key for {host} that does not end with ;':
    'Der Schlüssel für {host} in der IOU-Lizenz {file} endet nicht mit ;',
  'The IOU licence {file} has a key for {host} that is not 16 hexadecimal digits':
    'Der Schlüssel für {host} in der IOU-Lizenz {file} hat nicht 16 hexadezimale Stellen',
  'The IOU licence {file} {reason}': 'Die IOU-Lizenz {file} {reason}',

  // PCs, traces, ports.
  '{name} had {count} line by which VPCS would use the server’s machine (!, rlogin, relay); now comments':
    '{name} hatte {count} Zeile, mit der VPCS die Maschine des Servers benutzt hätte (!, rlogin, relay); jetzt Kommentar',
  '{name} had {count} lines by which VPCS would use the server’s machine (!, rlogin, relay); now comments':
    '{name} hatte {count} Zeilen, mit denen VPCS die Maschine des Servers benutzt hätte (!, rlogin, relay); jetzt Kommentare',
  '{name} has nothing to trace: give a destination with the start, or a default_destination':
    '{name} hat kein Ziel: beim Start oder in den Einstellungen eines angeben',
  'destination {given} is not an IP address or a host name':
    'Das Ziel {given} ist weder eine IP-Adresse noch ein Hostname',
  'traceroute ended ({how}): {what}': 'traceroute ist beendet ({how}): {what}',
  'code {code}': 'Code {code}',
  'code unknown': 'Code unbekannt',
  'ports_mapping: port_number {number} is there twice': 'ports_mapping: port_number {number} kommt zweimal vor',
  '{name}: two ports of ports_mapping are for the interface {interface}':
    '{name}: Zwei Ports von ports_mapping sind für das Interface {interface}',
  'its port {port} leads where no port can lead any more; it was left out':
    'Port {port} führt dorthin, wohin kein Port mehr führen kann; er wurde weggelassen',
  'port_name_format: {{key}} is not known; possible are {0}, {1}, {port0..8}, {segment0..8} and {adapter}':
    'port_name_format: {{key}} ist nicht bekannt; möglich sind {0}, {1}, {port0..8}, {segment0..8} und {adapter}',
  'port_name_format: {spec} is no format of Python for an integer of at most {most} characters, such as 02d':
    'port_name_format: {spec} ist kein Format von Python für eine ganze Zahl mit höchstens {most} Zeichen, wie 02d',
  'the host has a route into {network}/24 already, which is the network of this node':
    'der Host hat schon eine Route in {network}/24, das Netz dieses Knotens',
  'the host has routes to every network that a NAT could use (192.168.122.0/24 and those after it)':
    'der Host hat Routen zu jedem Netz, das ein NAT benutzen könnte (192.168.122.0/24 und die danach)',
  'of the ports {first} to {last} there are not {count} free':
    'von den Ports {first} bis {last} sind keine {count} frei',

  // Containers.
  '{name}: image {image} is not there and cannot be pulled (the service has pulled it and does not have it); pull or load it where this server runs: docker pull {same}':
    '{name}: Das Image {image} ist nicht da und lässt sich nicht ziehen (der Dienst hat es gezogen und hat es nicht); dort ziehen oder laden, wo dieser Server läuft: docker pull {same}',
  '{name}: image {image} is not there and cannot be pulled ({reason}); pull or load it where this server runs: docker pull {same}':
    '{name}: Das Image {image} ist nicht da und lässt sich nicht ziehen ({reason}); dort ziehen oder laden, wo dieser Server läuft: docker pull {same}',
  'engine docker has no vnc console; set console_type to telnet, http, https or none':
    'die Engine docker hat keine VNC-Konsole; console_type auf telnet, http, https oder none setzen',
  'extra_hosts: each line must be like host:address, not {line}':
    'extra_hosts: Jede Zeile muss wie host:address sein, nicht {line}',
  '{field} has more than {limit} characters with its placeholders replaced':
    '{field} hat mit ersetzten Platzhaltern mehr als {limit} Zeichen',
  'extra_volumes: {given} must be an absolute path of the container, without .. and not /':
    'extra_volumes: {given} muss ein absoluter Pfad des Containers sein, ohne .. und nicht /',
  'extra_volumes needs a directory of the node': 'extra_volumes braucht ein Verzeichnis des Knotens',
  '{name}: {place} is not a directory and cannot be volume {volume}; remove it':
    '{name}: {place} ist kein Verzeichnis und kann nicht das Volume {volume} sein; löschen',
  '{volume} of {image} cannot be copied: {reason}': '{volume} von {image} lässt sich nicht kopieren: {reason}',
  'files: they cannot be copied into the container: {reason}':
    'files: Sie lassen sich nicht in den Container kopieren: {reason}',
  'The list of images': 'Die Liste der Images',
  '{field} has a {quote} without its end': '{field} hat ein {quote} ohne Ende',
  'the script has a {quote} without its end': 'Das Skript hat ein {quote} ohne Ende',
};
