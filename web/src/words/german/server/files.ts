/** Sentences about archives, project files and what was left out of them, files of a project, and symbols. */
const archives: Readonly<Record<string, string>> = {
  'the archive is refused: {reason}': 'Das Archiv wird nicht angenommen: {reason}',
  'This is not a project file that can be read: {reason}': 'Diese Projektdatei lässt sich nicht lesen: {reason}',
  '{name} is no name': '{name} ist kein Name',
  '{name} has a backslash or a control character': '{name} enthält einen Backslash oder ein Steuerzeichen',
  '{name} is absolute': '{name} ist absolut',
  '{name} has a drive letter': '{name} hat einen Laufwerksbuchstaben',
  '{name} is too long': '{name} ist zu lang',
  '{name} leads out of the project': '{name} führt aus dem Projekt hinaus',
  '{name} has an empty part': '{name} hat einen leeren Teil',
  '{name} is a link to {target}; only links inside the project are taken':
    '{name} ist ein Link auf {target}; nur Links innerhalb des Projekts werden angenommen',
  '{name} is a link to {target}, out of the project': '{name} ist ein Link auf {target}, aus dem Projekt hinaus',
  '{name} differs from {other} by case only': '{name} und {other} unterscheiden sich nur in Groß- und Kleinschreibung',
  '{name} is both a directory and something else': '{name} ist ein Verzeichnis und noch etwas anderes',
  '{name} is in it twice': '{name} kommt zweimal vor',
  'it is no whole zip file ({reason})': 'es ist keine vollständige ZIP-Datei ({reason})',
  'it has {count} entries; {most} are the most': 'es hat {count} Einträge; mehr als {most} gehen nicht',
  '{name} and {other} are the same bytes of it': '{name} und {other} sind dieselben Bytes darin',
  '{name} is encrypted': '{name} ist verschlüsselt',
  '{name} is compressed by method {number}; none (0), deflate (8), bzip2 (12) and Zstandard (93) are read':
    '{name} ist mit Verfahren {number} gepackt; gelesen werden keines (0), Deflate (8), bzip2 (12) und Zstandard (93)',
  '{name} is a device, a pipe or a socket': '{name} ist ein Gerät, eine Pipe oder ein Socket',
  '{name} is a hard link': '{name} ist ein harter Link',
  'it would unpack to {bytes} bytes, and may to {most}': 'es wären entpackt {bytes} Bytes, und {most} dürfen es sein',
  'its entries lie over one another': 'die Einträge liegen übereinander',
  '{name} is damaged: {reason}': '{name} ist beschädigt: {reason}',
  'it has no {name}': 'es hat kein {name}',
  '{name} is larger than {limit} bytes': '{name} ist größer als {limit} Bytes',
  '{name} is not a regular file': '{name} ist keine gewöhnliche Datei',
  '{name} is not UTF-8 text': '{name} ist kein UTF-8-Text',
  'it has no {name}, but {count} project files': 'es hat kein {name}, aber {count} Projektdateien',
  'it has {count} project files': 'es hat {count} Projektdateien',
  'it has {count} nodes, links and drawings, those of its snapshots included; {most} are the most':
    'es hat {count} Knoten, Links und Zeichnungen, die der Snapshots mitgezählt; mehr als {most} gehen nicht',
};

const projectFiles: Readonly<Record<string, string>> = {
  'The project file is not JSON: unexpected character near line {line}':
    'Die Projektdatei ist kein JSON: unerwartetes Zeichen bei Zeile {line}',
  'The project file is not JSON: {reason}': 'Die Projektdatei ist kein JSON: {reason}',
  'The project file is nested deeper than {count} levels':
    'Die Projektdatei ist tiefer als {count} Ebenen verschachtelt',
  'topology.{key} must be a list': 'topology.{key} muss eine Liste sein',
  'it has {count} {key}; {most} are the most': 'sie hat {count} {key}; mehr als {most} gehen nicht',
  'type must be "topology"': 'type muss "topology" sein',
  'project_id must be a UUID, not {given}': 'project_id muss eine UUID sein, nicht {given}',
  'name must be a text of 1 to {most} characters': 'name muss ein Text von 1 bis {most} Zeichen sein',
  '{name} is of revision {revision}, which GNS3 3.x reads as well; leave revision out':
    '{name} hat die Revision {revision}, die auch GNS3 3.x liest; revision weglassen',
  'revision must be a whole number from 1, not {given}; revisions 1 to {last}, and files of before there were numbers, are read':
    'revision muss eine ganze Zahl ab 1 sein, nicht {given}; gelesen werden die Revisionen 1 bis {last} und Dateien aus der Zeit davor',
  'it has no revision, but topology.{key}, which is of later ones; revisions 1 to {last}, and files of before there were numbers, are read':
    'sie hat keine Revision, aber topology.{key}, was es erst später gibt; gelesen werden die Revisionen 1 bis {last} und Dateien aus der Zeit davor',
  'its revision is {revision}, but topology.{key}, which is of later ones; revisions 1 to {last}, and files of before there were numbers, are read':
    'ihre Revision ist {revision}, aber topology.{key} gibt es erst später; gelesen werden die Revisionen 1 bis {last} und Dateien aus der Zeit davor',
  'topology must be an object with nodes, links, drawings and computes':
    'topology muss ein Objekt mit nodes, links, drawings und computes sein',
  'topology must be an object': 'topology muss ein Objekt sein',
  'The project file was made by a more recent version: its revision is {revision}; revisions 1 to {last}, and files of before there were numbers, are read':
    'Die Projektdatei ist von einer neueren Version: Ihre Revision ist {revision}; gelesen werden die Revisionen 1 bis {last} und Dateien aus der Zeit davor',
  'The project file was made by a more recent version{version}: its revision is {revision}; revisions 1 to {last}, and files of before there were numbers, are read':
    'Die Projektdatei ist von einer neueren Version{version}: Ihre Revision ist {revision}; gelesen werden die Revisionen 1 bis {last} und Dateien aus der Zeit davor',
  'The project file {file} cannot be written: {reason}': 'Die Projektdatei {file} lässt sich nicht schreiben: {reason}',
  'the project file could not be written: {reason}': 'Die Projektdatei ließ sich nicht schreiben: {reason}',
  '{file} does not read back as it was written': '{file} liest sich nicht so, wie es geschrieben wurde',
  'path must be the absolute path of a project file, not {given}':
    'path muss der absolute Pfad einer Projektdatei sein, nicht {given}',
  'path must be absolute': 'path muss absolut sein',
  'path {file} cannot be read: it is not UTF-8 text': 'path: {file} lässt sich nicht lesen: Es ist kein UTF-8-Text',

  // Files left out or changed.
  '{name} has *** in the place of a secret; set it again':
    '{name} hat *** anstelle eines Geheimnisses; geben Sie es neu an',
  'a variable of the project has *** in the place of a secret; set it again':
    'Eine Variable des Projekts hat *** anstelle eines Geheimnisses; geben Sie sie neu an',
  'two nodes are named {name}; one is {now} now': 'Zwei Knoten heißen {name}; einer heißt jetzt {now}',
  'Two nodes of the file are named {name}; the later one is {now} now':
    'Zwei Knoten der Datei heißen {name}; der spätere heißt jetzt {now}',
  'The name of the project had line ends or control characters; it is {now} now':
    'Der Name des Projekts hatte Zeilenenden oder Steuerzeichen; es heißt jetzt {now}',
  'The name of a node had line ends or control characters; it is {now} now':
    'Der Name eines Knotens hatte Zeilenenden oder Steuerzeichen; er heißt jetzt {now}',
  'link {id} ends at a port that another link has; it was left out':
    'Der Link {id} endet an einem Port, den ein anderer Link hat; er wurde weggelassen',
  'filters of link {id}: {reason}; they were left out': 'Filter des Links {id}: {reason}; sie wurden weggelassen',
  'Drawing {number} of the file was left out: {reason}': 'Zeichnung {number} der Datei wurde weggelassen: {reason}',
  'Link {number} of the file was left out: {reason}': 'Link {number} der Datei wurde weggelassen: {reason}',
  'Node {number} of the file was left out: {reason}': 'Knoten {number} der Datei wurde weggelassen: {reason}',
  'Node {name}: {reason}': 'Knoten {name}: {reason}',
  'Drawing {id}: {reason}': 'Zeichnung {id}: {reason}',
  'the picture {file} cannot be read: {reason}': 'das Bild {file} lässt sich nicht lesen: {reason}',
  'svg must be a text, not {given}': 'svg muss ein Text sein, nicht {given}',
  'it is {given}, not an object': 'es ist {given}, kein Objekt',
  'it is not an object': 'es ist kein Objekt',
  'nodes must be a list of its two ends': 'nodes muss eine Liste der beiden Enden sein',
  'an end must be an object, not {given}': 'ein Ende muss ein Objekt sein, nicht {given}',
  'there is no node with the node_id {id}': 'es gibt keinen Knoten mit der node_id {id}',
  'adapter_number and port_number must be whole numbers from 0':
    'adapter_number und port_number müssen ganze Zahlen ab 0 sein',
  'its port of {name} is not there, and no other is free':
    'den Port von {name} gibt es nicht, und kein anderer ist frei',
  'the port {port} of {name} is not there, and no other is free':
    'den Port {port} von {name} gibt es nicht, und kein anderer ist frei',
  'Link {number} of the file: nobody knows its port of {name}; it ends at {adapter}/{port} now':
    'Link {number} der Datei: Niemand kennt den Port von {name}; er endet jetzt an {adapter}/{port}',
  'Link {number} of the file: nobody knows the port {given} of {name}; it ends at {adapter}/{port} now':
    'Link {number} der Datei: Niemand kennt den Port {given} von {name}; er endet jetzt an {adapter}/{port}',
  'it had no {key} and got a new one': '{key} fehlte und ist neu',
  'its {key} {id} is not a UUID and was replaced': '{key} {id} ist keine UUID und wurde ersetzt',
  'its {key} {id} is that of an earlier one and was replaced': '{key} {id} hatte schon ein anderer und wurde ersetzt',
  '{name}: its file {file} is not in the project’s directory':
    '{name}: Die Datei {file} ist nicht im Verzeichnis des Projekts',
  'the snapshot {name} is none of the project; an archive of the directory brings it along':
    'Der Snapshot {name} ist keiner des Projekts; ein Archiv des Verzeichnisses bringt ihn mit',
  '{count} of the {what} were left out: they are no objects':
    '{count} von {what} wurden weggelassen: Es sind keine Objekte',
  'left out of the topology, as nothing knows them: {names}':
    'Aus der Topologie weggelassen, weil nichts sie kennt: {names}',
  'left out of the project, as nothing knows them: {names}':
    'Aus dem Projekt weggelassen, weil nichts sie kennt: {names}',
};

const places: Readonly<Record<string, string>> = {
  'it is not the name of a file in {place}': 'das ist kein Name einer Datei in {place}',
  'it is larger than {count} bytes': 'es ist größer als {count} Bytes',
  'it is neither SVG text nor a PNG, GIF or JPEG picture': 'es ist weder SVG-Text noch ein Bild als PNG, GIF oder JPEG',
  'it is not a regular file': 'es ist keine gewöhnliche Datei',
  '{place} leads to another directory': '{place} führt in ein anderes Verzeichnis',
  'the body must be an SVG without entities, or a PNG, GIF or JPEG picture':
    'Der Inhalt muss ein SVG ohne Entities sein, oder ein Bild als PNG, GIF oder JPEG',
  'symbol_id must end in a file name of letters, digits and . _ - + ( ) with the ending svg, png, gif or jpg':
    'symbol_id muss mit einem Dateinamen aus Buchstaben, Ziffern und . _ - + ( ) enden, mit der Endung svg, png, gif oder jpg',
  'symbol_id ends in .{ending}, but the body is {type}': 'symbol_id endet auf .{ending}, aber der Inhalt ist {type}',
  '{file} leads out of the directory': '{file} führt aus dem Verzeichnis hinaus',
  '{file} leads out of the directory over a link, or to nothing':
    '{file} führt über einen Link aus dem Verzeichnis hinaus, oder ins Leere',
  "{file} is the server's own": '{file} gehört dem Server',
  "{file} is a file of the server's own": '{file} ist eine Datei des Servers',
  'files of snapshots cannot be written; POST /v2/projects/{project_id}/snapshots makes one':
    'Dateien von Snapshots lassen sich nicht schreiben; POST /v2/projects/{project_id}/snapshots macht einen',
  '{file} is the project file, which the server writes; change the project itself, or load another file (POST /v2/projects/load)':
    '{file} ist die Projektdatei, die der Server schreibt; das Projekt selbst ändern, oder eine andere Datei laden (POST /v2/projects/load)',
  '{file} is a directory': '{file} ist ein Verzeichnis',
  '404 Not Found: the file {file} was not found': '404 Not Found: Die Datei {file} gibt es nicht',
  '{place} is no directory that can be used': '{place} ist kein Verzeichnis, das sich verwenden lässt',
  '{place} is not empty': '{place} ist nicht leer',
  '{place} cannot be made': '{place} lässt sich nicht anlegen',
  '{place} cannot be made: {reason}': '{place} lässt sich nicht anlegen: {reason}',
  'the directory {place} cannot be made: {reason}': 'Das Verzeichnis {place} lässt sich nicht anlegen: {reason}',
  '{place} cannot be written: {reason}': '{place} lässt sich nicht schreiben: {reason}',
  '{place} cannot be unpacked: {reason}': '{place} lässt sich nicht entpacken: {reason}',
  '{file} cannot be read: {reason}': '{file} lässt sich nicht lesen: {reason}',
  'its files cannot be replaced: {reason}': 'die Dateien lassen sich nicht ersetzen: {reason}',
  'the files of {name} cannot be copied: {reason}': 'Die Dateien von {name} lassen sich nicht kopieren: {reason}',
  'files cannot be put into {place}: {reason}': 'In {place} lassen sich keine Dateien legen: {reason}',
  'the file cannot be written: {reason}': 'Die Datei lässt sich nicht schreiben: {reason}',
  'the files of the project cannot be copied: {reason}':
    'Die Dateien des Projekts lassen sich nicht kopieren: {reason}',
  'the files of the snapshot cannot be restored: {reason}':
    'Die Dateien des Snapshots lassen sich nicht wiederherstellen: {reason}',
  'only {free} are free on the disk: {kept} are kept for the log':
    'Auf der Platte sind nur {free} frei: {kept} bleiben für das Log',
  'only {free} are free on the disk, not enough for {more} more: {kept} are kept for the log':
    'Auf der Platte sind nur {free} frei, zu wenig für {more} mehr: {kept} bleiben für das Log',

  // Why a file cannot be read or written.
  'no permission': 'keine Rechte',
  'the disk is full': 'die Platte ist voll',
  'the disk quota is used up': 'das Kontingent auf der Platte ist aufgebraucht',
  'a file of that name is in the way': 'eine Datei dieses Namens ist im Weg',
  'it is a directory': 'es ist ein Verzeichnis',
  'it does not exist': 'es existiert nicht',
  'a part of the path is not a directory': 'ein Teil des Pfads ist kein Verzeichnis',
  'the file system is read-only': 'das Dateisystem lässt sich nur lesen',
};

const damages = {
  '{name} has more than {count} parts': '{name} hat mehr als {count} Teile',
  '{name} has more than {count} parts, or than {octets} octets':
    '{name} hat mehr als {count} Teile oder als {octets} Bytes',
  'the pictures of a project may have {count} characters together':
    'Die Bilder eines Projekts dürfen zusammen {count} Zeichen haben',
  'the licence {file} cannot be read: {reason}': 'Die Lizenz {file} kann nicht gelesen werden: {reason}',
  'the licence {file} is damaged, or was changed by hand: {reason}; remove it, and set the licence again':
    'Die Lizenz {file} ist beschädigt oder wurde von Hand geändert: {reason}; löschen Sie sie und geben Sie die Lizenz noch einmal an',
  '{file} is damaged, or was changed by hand: {reason}; {what}':
    '{file} ist beschädigt oder wurde von Hand geändert: {reason}; {what}',
  'it is no JSON': 'es ist kein JSON',
  'it does not fit its checksum': 'es passt nicht zu seiner Prüfsumme',
  'its files are kept': 'seine Dateien bleiben',
  'the files are kept beside': 'die Dateien bleiben daneben',
  'the upload is kept beside': 'das Hochgeladene bleibt daneben',
  'put it back from a copy, or remove it and set its secrets again':
    'stellen Sie es aus einer Kopie wieder her, oder löschen Sie es und geben Sie die Geheimnisse neu an',
  'put it back from a copy, or remove it and take each compute again':
    'stellen Sie es aus einer Kopie wieder her, oder löschen Sie es und übernehmen Sie jeden Compute noch einmal',
  'the server writes it when it starts; remove it where none runs':
    'der Server schreibt es bei seinem Start; löschen Sie es, wo keiner läuft',
  '{file} is no id of a server, or damaged: server.started in the log has it; without the file this is another server than before':
    '{file} ist keine Kennung eines Servers oder beschädigt: server.started im Log enthält sie; ohne die Datei ist dies ein anderer Server als vorher',
  '{name}: its file {file} is kept in {place}, and is not what was written: it was changed by another program, or is damaged; remove it there, and the node comes back without it':
    '{name}: seine Datei {file} liegt in {place} und ist nicht, was geschrieben wurde: ein anderes Programm hat sie geändert, oder sie ist beschädigt; löschen Sie sie dort, und der Node kommt ohne sie zurück',
};

export const fileRefusals: Readonly<Record<string, string>> = { ...archives, ...projectFiles, ...places, ...damages };
