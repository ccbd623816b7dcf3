/** Descriptions of settings, from the OpenAPI document. */
export const schemaHelp: Readonly<Record<string, string>> = {
  'A higher layer covers a lower one.': 'Eine höhere Ebene verdeckt eine niedrigere.',
  'A small disk for the guest’s configuration, as disk D.':
    'Eine kleine Platte für die Konfiguration des Gasts, als Platte D.',
  'access: untagged in the VLAN; dot1q: all VLANs tagged, this one untagged; qinq: everything in an outer tag.':
    'access: ungetaggt im VLAN; dot1q: alle VLANs getaggt, dieses ungetaggt; qinq: alles in einem äußeren Tag.',
  'Added to the emulator’s command line.': 'Kommen zur Befehlszeile des Emulators hinzu.',
  'Address of a picture.': 'Adresse eines Bildes.',
  'Address or host name that a start traces unless it names another.':
    'Adresse oder Hostname, den ein Start verfolgt, wenn er keinen anderen nennt.',
  'All nodes start when the project is opened.': 'Alle Knoten starten, wenn das Projekt geöffnet wird.',
  'Also adapters that the machine has been set up with are taken for links.':
    'Auch Adapter, mit denen die Maschine eingerichtet wurde, werden für Links genommen.',
  'Also what consoles do not show, such as passwords.': 'Auch, was Konsolen nicht zeigen, etwa Passwörter.',
  'An interface of the compute, a TAP interface, or a UDP tunnel.':
    'Eine Schnittstelle des Rechners, eine TAP-Schnittstelle oder ein UDP-Tunnel.',
  'Architecture that is emulated.': 'Architektur, die emuliert wird.',
  'Attaches adapters in the old way, for guests that need it.':
    'Schließt Adapter auf die alte Art an, für Gäste, die das brauchen.',
  'Backplane of the chassis.': 'Rückwand des Gehäuses.',
  'Beside the ends of links.': 'Neben den Enden der Links.',
  'Card in this place. Empty: none.': 'Karte an diesem Platz. Leer: keine.',
  'Clients open it when the node starts.': 'Programme öffnen sie, wenn der Knoten startet.',
  'Clockwise.': 'Im Uhrzeigersinn.',
  'Compute of nodes that do not say theirs; auto: the best one.':
    'Rechner der Knoten, die keinen nennen; auto: der beste.',
  'Console commands that run at every start, one a line: interface 0 ip 10.0.0.1/24, route default 10.0.0.2.':
    'Konsolenbefehle, die bei jedem Start laufen, einer je Zeile: interface 0 ip 10.0.0.1/24, route default 10.0.0.2.',
  'Number of its Ethernet interfaces.': 'Anzahl seiner Ethernet-Schnittstellen.',
  'Console commands that run at every start, one a line.':
    'Konsolenbefehle, die bei jedem Start laufen, einer je Zeile.',
  'What begins the start command. Empty: that of the image.': 'Was den Startbefehl beginnt. Leer: das des Images.',
  'Who runs its programs. Empty: the one of the image.': 'Wer seine Programme ausführt. Leer: der des Images.',
  'Run in the container after each start, one a line.':
    'Werden nach jedem Start im Container ausgeführt, einer je Zeile.',
  'Copied into the container before each start.': 'Werden vor jedem Start in den Container kopiert.',
  'What is collected of it. Empty: its files, and that of FRR.':
    'Was von ihm eingesammelt wird. Leer: seine Dateien und die von FRR.',
  'Behind it; the gateway has its first address. Empty: one that is free.':
    'Dahinter; das Gateway hat seine erste Adresse. Leer: eines, das frei ist.',
  'Router of its default route.': 'Router seiner Standardroute.',
  'Server of names that it asks.': 'Server, den es nach Namen fragt.',
  'Names and first addresses of its adapters.': 'Namen und erste Adressen seiner Adapter.',
  'Where its services are reached from outside of the lab.':
    'Wo seine Dienste von außerhalb des Labors erreichbar sind.',
  'Port of the machine that runs it.': 'Port des Rechners, auf dem er läuft.',
  'Port of the container.': 'Port des Containers.',
  'tcp if absent.': 'Ohne Angabe tcp.',
  'Such as net.ipv4.ip_forward.': 'Etwa net.ipv4.ip_forward.',
  'It has the privileges that FRR and other network systems are published with, and reaches the machine itself.':
    'Er hat die Rechte, mit denen FRR und andere Netzwerksysteme veröffentlicht werden, und erreicht die Maschine selbst.',
  'Further ones that its programs have, such as SYS_ADMIN.': 'Weitere, die seine Programme haben, etwa SYS_ADMIN.',
  'Where it is in the container, from /.': 'Wo sie im Container ist, von / an.',
  'What is in it.': 'Was darin steht.',
  'As the container service is to call it, if the name is free.':
    'Wie der Containerdienst ihn nennen soll, wenn der Name frei ist.',
  'base64: the text stands for octets. Empty: it is what is in it.':
    'base64: Der Text steht für Oktette. Leer: Er ist, was darin steht.',
  'As chmod has them, such as 755. Empty: 644.': 'Wie chmod sie hat, etwa 755. Leer: 644.',
  'Name of the file that it is a copy of.': 'Name der Datei, deren Kopie sie ist.',
  'What the container calls it. Empty: eth and the number.': 'Wie der Container sie nennt. Leer: eth und die Nummer.',
  'That it has from the start, with their prefix lengths.': 'Die sie von Anfang an hat, mit ihren Präfixlängen.',
  'Directories of the image that are kept with the node, one a line.':
    'Verzeichnisse des Images, die beim Knoten bleiben, eines je Zeile.',
  'Distance of its lines.': 'Abstand seiner Linien.',
  'Each has four ports. 16 adapters at most, with the Ethernet ones.':
    'Jeder hat vier Ports. Höchstens 16 Adapter, mit denen für Ethernet.',
  'Each has four ports. 16 adapters at most, with the serial ones.':
    'Jeder hat vier Ports. Höchstens 16 Adapter, mit den seriellen.',
  'Each name is there once in a project.': 'Jeden Namen gibt es im Projekt nur einmal.',
  'Empty: as all of the node.': 'Leer: wie alle des Knotens.',
  'Empty: as the format names it.': 'Leer: nach dem Format.',
  'Empty: counted up from that of the node.': 'Leer: von der des Knotens hochgezählt.',
  'Empty: what the image starts.': 'Leer: was das Image startet.',
  'Firmware; empty: the usual one.': 'Firmware; leer: die übliche.',
  'For clients that limit it.': 'Für Programme, die sie begrenzen.',
  'For that format. 0: there are no segments.': 'Für dieses Format. 0: keine Segmente.',
  'How its console is spoken to.': 'Wie man mit seiner Konsole spricht.',
  'How large clients show the map at first.': 'Wie groß Programme die Karte zuerst zeigen.',
  'How long after its start the node ends by itself.': 'Wie lange nach dem Start der Knoten von selbst endet.',
  'How long every action takes.': 'Wie lange jede Aktion dauert.',
  'How long it sleeps then.': 'Wie lange es dann schläft.',
  'How many network adapters it has.': 'Wie viele Netzwerkadapter er hat.',
  'How many processors the machine has.': 'Wie viele Prozessoren die Maschine hat.',
  'How much of the host’s processors it may use. 0: as much as it likes.':
    'Wie viel sie von den Prozessoren des Hosts nutzen darf. 0: so viel sie will.',
  'How often it may pass there before it sleeps.': 'Wie oft es dort vorbeikommen darf, bevor es schläft.',
  'How that console is spoken to.': 'Wie man mit dieser Konsole spricht.',
  'How the disk is attached, such as ide, sata, scsi or virtio.':
    'Wie die Platte angeschlossen ist, etwa ide, sata, scsi oder virtio.',
  'How the line looks; kept for clients that draw it.': 'Wie die Linie aussieht; für Programme, die sie zeichnen.',
  'How the simulated engine behaves; the others ignore it.':
    'Wie sich die simulierte Engine verhält; die anderen beachten es nicht.',
  'Id of the container that was made for it.': 'Id des Containers, der für ihn gemacht wurde.',
  'Image in the drive.': 'Image im Laufwerk.',
  'Image of the first disk.': 'Image der ersten Platte.',
  'Image of the fourth disk.': 'Image der vierten Platte.',
  'Image of the second disk.': 'Image der zweiten Platte.',
  'Image of the third disk.': 'Image der dritten Platte.',
  'Image that is run.': 'Image, das ausgeführt wird.',
  'Image that the container is made of, such as alpine:3.': 'Image, aus dem der Container gemacht wird, etwa alpine:3.',
  'In which order the machine looks for something to start.':
    'In welcher Reihenfolge die Maschine sucht, was sie starten kann.',
  'IPv4 address, and a gateway where one is needed: 10.0.0.5/24 10.0.0.1. Empty: one of its own link.':
    'IPv4-Adresse, bei Bedarf mit Gateway: 10.0.0.5/24 10.0.0.1. Leer: eine des eigenen Links.',
  'It cannot be changed or deleted.': 'Sie kann nicht geändert oder gelöscht werden.',
  'It cannot be moved or deleted.': 'Es kann nicht verschoben oder gelöscht werden.',
  'It closes, and its nodes stop, when its last viewer leaves.':
    'Es wird geschlossen und seine Knoten stoppen, wenn die letzte Person geht.',
  'Its frames are written to a file.': 'Seine Frames werden in eine Datei geschrieben.',
  'Its name inside the hypervisor.': 'Ihr Name im Hypervisor.',
  'Its ports, in their order. A port with a link stays.': 'Seine Ports in ihrer Reihenfolge. Ein Port mit Link bleibt.',
  'Kept for other programs.': 'Für andere Programme aufbewahrt.',
  'Keys and certificates that its next start reads.': 'Schlüssel und Zertifikate, die sein nächster Start liest.',
  'Lines behind the lab.': 'Linien hinter dem Lab.',
  'Linux kernel that is started without a boot loader.': 'Linux-Kernel, der ohne Bootloader startet.',
  'Machine of its nodes. Empty: the project’s.': 'Maschine ihrer Knoten. Leer: die des Projekts.',
  'Machine that runs it. A move takes its files along.':
    'Maschine, auf der er läuft. Beim Umzug kommen seine Dateien mit.',
  'Machine that writes the file.': 'Maschine, die die Datei schreibt.',
  'Memory for translated code.': 'Speicher für übersetzten Code.',
  'Memory is taken from the host only where it is used.': 'Speicher wird vom Host nur genommen, wo er benutzt wird.',
  'Memory of the machine.': 'Arbeitsspeicher der Maschine.',
  'Memory of the machine. 0: as the hypervisor has it.': 'Arbeitsspeicher der Maschine. 0: wie im Hypervisor.',
  'Memory that keeps the configuration.': 'Speicher, der die Konfiguration behält.',
  'Model of the network adapters, as the guest sees them.': 'Modell der Netzwerkadapter, wie der Gast sie sieht.',
  'Model of the series, where there are several.': 'Modell der Baureihe, wo es mehrere gibt.',
  'Name of its file in that directory.': 'Name seiner Datei in diesem Verzeichnis.',
  'Name, type and MAC address of adapters that differ from the others.':
    'Name, Typ und MAC-Adresse von Adaptern, die anders sind als die übrigen.',
  'Names and values that appliances may read.': 'Namen und Werte, die Appliances lesen können.',
  'Names that the container knows, with their addresses.': 'Namen, die der Container kennt, mit ihren Adressen.',
  'Nodes that the map shows and moves together.': 'Knoten, die die Karte zusammen zeigt und bewegt.',
  'Of its frame.': 'Ihres Rands.',
  'Of the group.': 'Der Gruppe.',
  'One symbol stands for its nodes.': 'Ein Symbol steht für ihre Knoten.',
  'That are in it.': 'Die in ihr sind.',
  'Never changes.': 'Ändert sich nie.',
  'Notes for people who work with this node, such as its first login.':
    'Notizen für alle, die mit diesem Knoten arbeiten, etwa die erste Anmeldung.',
  'Nothing passes.': 'Nichts kommt durch.',
  'Number of the adapter, from 0.': 'Nummer des Adapters, ab 0.',
  'Number of the node; its MAC addresses and its files are named by it.':
    'Nummer des Knotens; seine MAC-Adressen und Dateien heißen danach.',
  'Number of the port, each once.': 'Nummer des Ports, jede nur einmal.',
  'Number of the router in its project; its files are named by it.':
    'Nummer des Routers in seinem Projekt; seine Dateien heißen danach.',
  'NVRAM and flash disks start empty each time.': 'NVRAM und Flash-Disks sind jedes Mal leer.',
  'Of a graphical console, such as 1024x768.': 'Einer grafischen Konsole, etwa 1024x768.',
  'Of both ports: Ethernet or serial.': 'Beider Ports: Ethernet oder seriell.',
  'Of both, one a line: 1 on, 0 off.': 'Beide, je Zeile eines: 1 an, 0 aus.',
  'Of its first adapter; the others count up from it.': 'Seines ersten Adapters; die anderen zählen von ihr hoch.',
  'Of its process on the host.': 'Seines Prozesses auf dem Host.',
  'Of its symbol.': 'Seines Symbols.',
  'Of the chassis, such as cc01.1234.0000; its interfaces count up from it.':
    'Des Gehäuses, etwa cc01.1234.0000; seine Schnittstellen zählen von ihr hoch.',
  'Of the compute, such as eth0.': 'Des Rechners, etwa eth0.',
  'Of the image; it is checked when the image is sent to another compute.':
    'Des Images; sie wird geprüft, wenn das Image an einen anderen Rechner geht.',
  'Of the outer tag of a qinq port; empty is 0x8100.': 'Des äußeren Tags eines QinQ-Ports; leer ist 0x8100.',
  'Of the supplier.': 'Des Anbieters.',
  'Of the variable.': 'Der Variable.',
  'Operating system that it runs.': 'Betriebssystem, das er ausführt.',
  'Options for that kernel.': 'Optionen für diesen Kernel.',
  'Part of the RAM that the interfaces use.': 'Teil des RAM, den die Schnittstellen nutzen.',
  'Path of a console that is a web page.': 'Pfad einer Konsole, die eine Webseite ist.',
  'Path of the machine’s definition on its compute.': 'Pfad der Definition der Maschine auf ihrem Rechner.',
  'Picture of its nodes on the map.': 'Bild ihrer Knoten auf der Karte.',
  'Picture of the node on the map.': 'Bild des Knotens auf der Karte.',
  'Port inside the container that its web console listens on.': 'Port im Container, auf dem seine Webkonsole lauscht.',
  'Ports that it connects, with their labels.': 'Die Ports, die er verbindet, mit ihrer Beschriftung.',
  'Processor board of the chassis.': 'Prozessorkarte des Gehäuses.',
  'Program that runs the machine. Empty: that of the platform.':
    'Programm, das die Maschine ausführt. Leer: das der Plattform.',
  'Series of the router.': 'Baureihe des Routers.',
  'Settings of its kind.': 'Einstellungen seiner Art.',
  'Size of the flash disk. 0: there is none.': 'Größe der Flash-Disk. 0: keine.',
  'Slows the router’s clock down.': 'Verlangsamt die Uhr des Routers.',
  'Such as Ethernet{0}, where ports are named by a format: {0} is the port, {1} the segment.':
    'Etwa Ethernet{0}, wo Ports nach einem Format heißen: {0} ist der Port, {1} das Segment.',
  'Such as PC{0}: {0} is a running number, {name} the name of the template.':
    'Etwa PC{0}: {0} ist eine laufende Nummer, {name} der Name der Vorlage.',
  'TCP port of its console. Empty: a free one.': 'TCP-Port seiner Konsole. Leer: ein freier.',
  'TCP port of its second console. Empty: none.': 'TCP-Port seiner zweiten Konsole. Leer: keine.',
  'TCP port of that console.': 'TCP-Port dieser Konsole.',
  'Tells the other end whether an interface is up; not every image can.':
    'Sagt dem anderen Ende, ob eine Schnittstelle aktiv ist; nicht jedes Image kann das.',
  'That it belongs to.': 'Zu dem es gehört.',
  'That it was made from.': 'Aus der er gemacht wurde.',
  'The access VLAN, the native VLAN of a trunk, or the outer tag.':
    'Das Access-VLAN, das native VLAN eines Trunks oder der äußere Tag.',
  'The action that fails: start, stop, suspend, resume or reload. Any other text: start fails and says it.':
    'Die Aktion, die scheitert: start, stop, suspend, resume oder reload. Jeder andere Text: Der Start scheitert damit.',
  'The drawing as SVG.': 'Die Zeichnung als SVG.',
  'The guest sees whether an adapter has a link.': 'Der Gast sieht, ob ein Adapter einen Link hat.',
  'The image’s own amounts of memory rather than RAM and NVRAM.': 'Die Speichergrößen des Images statt RAM und NVRAM.',
  'The layer of each object stands beside it.': 'Neben jedem Objekt steht seine Ebene.',
  'The machine has a trusted platform module.': 'Die Maschine hat ein Trusted Platform Module.',
  'The machine shows no window on the desktop of its compute.':
    'Die Maschine zeigt auf dem Desktop ihres Rechners kein Fenster.',
  'The machine starts with UEFI firmware.': 'Die Maschine startet mit UEFI-Firmware.',
  'The name on the map: where it is, and how it looks.': 'Der Name auf der Karte: wo er steht und wie er aussieht.',
  'The node writes into a copy of its own and leaves the image as it is.':
    'Der Knoten schreibt in eine eigene Kopie und lässt das Image, wie es ist.',
  'The older name of what happens when it is stopped: whether the guest is asked to shut down.':
    'Der ältere Name dessen, was beim Stoppen geschieht: ob der Gast herunterfahren soll.',
  'The project is opened when the server starts.': 'Das Projekt wird geöffnet, wenn der Server startet.',
  'The router’s memory is a file that the host can put aside.':
    'Der Speicher des Routers ist eine Datei, die der Host auslagern kann.',
  'Of what happens at random on links: the same lab on another machine loses the same frames. 0: none.':
    'Für das Zufällige auf Links: Dasselbe Lab verliert auch auf einem anderen Rechner dieselben Frames. 0: keiner.',
  'They can be played back later.': 'Sie können später abgespielt werden.',
  'Those of the compute, as it lists them.': 'Die des Rechners, wie er sie aufführt.',
  'UDP port that frames come to.': 'UDP-Port, auf dem Frames ankommen.',
  'UDP port that frames go to.': 'UDP-Port, an den Frames gehen.',
  'Under which it is listed.': 'Unter der sie aufgeführt ist.',
  'What becomes of its nodes at a server that wrote the log.':
    'Was aus den Knoten auf einem Server wird, der bisher geschrieben hat.',
  'What becomes of the machine when it is stopped.': 'Was aus der Maschine wird, wenn sie gestoppt wird.',
  'What happens to frames, in both directions; with > or < behind its name in one.':
    'Was mit Frames geschieht, in beiden Richtungen; mit > oder < hinter dem Namen in einer.',
  'What is moved goes to the next line.': 'Was verschoben wird, rastet auf der nächsten Linie ein.',
  'What it was started with.': 'Womit er gestartet wurde.',
  'What its four sensors report, one a line.': 'Was seine vier Sensoren melden, je Zeile einer.',
  'What its next start reads.': 'Was sein nächster Start liest.',
  'What its nodes are.': 'Was ihre Knoten sind.',
  'What its programs find in their environment.': 'Was seine Programme in ihrer Umgebung finden.',
  'What runs this node. Empty: the first one that is installed.':
    'Was diesen Knoten ausführt. Leer: die erste installierte.',
  'What that kernel starts with.': 'Womit dieser Kernel startet.',
  'What the chassis reports as its own.': 'Was das Gehäuse als seine meldet.',
  'What the lab is called.': 'Wie das Lab heißt.',
  'What the last capture wrote.': 'Was der letzte Mitschnitt geschrieben hat.',
  'What the node is; it never changes.': 'Was der Knoten ist; das ändert sich nie.',
  'What the port is called.': 'Wie der Port heißt.',
  'What the template is called.': 'Wie die Vorlage heißt.',
  'Where each port leads: to an interface of the compute, or to a UDP tunnel.':
    'Wohin jeder Port führt: zu einer Schnittstelle des Rechners oder in einen UDP-Tunnel.',
  'Where the list of projects shows it, one a line, from the outermost on.':
    'Wo die Liste der Projekte es zeigt, einer je Zeile, vom äußersten an.',
  'Words that it is found by, one a line.': 'Wörter, unter denen es gefunden wird, eines je Zeile.',
  'Where frames go.': 'Wohin Frames gehen.',
  'Where it is on the map, from its middle down.': 'Wo es auf der Karte liegt, von der Mitte nach unten.',
  'Where it is on the map, from its middle to the right.': 'Wo es auf der Karte liegt, von der Mitte nach rechts.',
  'Where its console can be reached.': 'Wo seine Konsole erreichbar ist.',
  'Where its files are.': 'Wo seine Dateien liegen.',
  'Where links can go.': 'Wohin Links führen können.',
  'Where that file is.': 'Wo diese Datei liegt.',
  'Where the console of what is outside can be reached.': 'Wo die Konsole dessen erreichbar ist, was draußen liegt.',
  'Where the image waits, such as 0x60606040; it keeps a host processor from being busy.':
    'Wo das Image wartet, etwa 0x60606040; damit ist kein Prozessor des Hosts ständig beschäftigt.',
  'Whether it is opened.': 'Ob es geöffnet ist.',
  'Whether it runs.': 'Ob er läuft.',
  'Which circuit leads to which, as port:circuit on both sides.':
    'Welcher Circuit zu welchem führt, beiderseits als Port:Circuit.',
  'Why it is not known whether frames pass since a compute was away.':
    'Warum unbekannt ist, ob Frames durchkommen, seit ein Rechner weg war.',
  'Whose lab it is: a logo and an address.': 'Wessen Lab es ist: ein Logo und eine Adresse.',
};
