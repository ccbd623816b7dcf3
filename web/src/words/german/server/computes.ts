/** Sentences about other computes, and files fetched from them and sent to them. */
export const computeRefusals: Readonly<Record<string, string>> = {
  'no compute has an engine for {kind}': 'Kein Rechner hat eine Engine für {kind}',
  'there is no compute {id}: add it, or put its nodes on another one':
    'Den Rechner {id} gibt es nicht: hinzufügen, oder seine Knoten auf einen anderen legen',
  'its nodes are at {id} already': 'Die Knoten sind schon auf {id}',
  'this server itself cannot be removed': 'Dieser Server selbst lässt sich nicht entfernen',
  "compute_id {id} is this server's own": 'Die compute_id {id} ist die dieses Servers',
  'Compute name "{name}" already exists': 'Ein anderer Rechner heißt schon {name}',
  'password must be given again, as the kept one is for the address that the compute had':
    'Das Passwort ist noch einmal nötig, denn das alte ist für die Adresse, die der Rechner hatte',
  'host must be an address or a name, without a port or a path':
    'host muss eine Adresse oder ein Name sein, ohne Port und ohne Pfad',
  'certificate must be a certificate in PEM': 'certificate muss ein Zertifikat in PEM sein',
  '{host} is the server’s own machine': '{host} ist die Maschine des Servers selbst',
  'it is the server’s own machine, where only a server started with --local has computes':
    'es ist die Maschine des Servers selbst, und dort hat nur ein Server mit --local Rechner',
  '{field} of this server is set when it is started': '{field} dieses Servers wird beim Start festgelegt',
  'it was just removed': 'gerade entfernt',
  'it does not answer': 'keine Antwort',
  'its name is unknown': 'der Name ist unbekannt',
  'its compute has forgotten it': 'der Rechner hat den Knoten vergessen',
  'the files of {name} are those of the last time they were fetched: {reason}':
    'Die Dateien von {name} sind die vom letzten Mal, als sie geholt wurden: {reason}',
  '{name} runs at {compute} and should not: it is stopped there':
    '{name} läuft auf {compute} und soll das nicht: Dort wird der Knoten gestoppt',
  'it was ended with {name}': 'mit {name} beendet',
  'it runs at {name}, which wrote this log before': 'läuft bei {name}, das vorher in dieses Log schrieb',
  '{compute} answers no list of the {what}: {reason}': '{compute} liefert keine Liste ({what}): {reason}',
  '{compute} answers no list of the {what}: {field}: not valid':
    '{compute} liefert keine Liste ({what}): {field}: nicht gültig',
  'what answers {what} is no compute': 'was auf {what} antwortet, ist kein Rechner',
  'what answers there is no compute': 'was dort antwortet, ist kein Rechner',
  'what answers there is no compute: it answers with {what}':
    'was dort antwortet, ist kein Rechner: Die Antwort ist {what}',
  'it is Topolog {other}, and this is {own}: the first two numbers must be the same':
    'dort ist Topolog {other}, und hier {own}: Die ersten beiden Zahlen müssen gleich sein',
  'it has version {version}; a GNS3 server must be of {wanted}':
    'dort ist Version {version}; ein GNS3-Server muss Version {wanted} haben',
  '{name}: {what} took too long': '{name}: {what} hat zu lange gedauert',
  '{name}: {what} was answered with {status}': '{name}: Auf {what} kam die Antwort {status}',
  '{name} needs a user and a password, and was given none':
    '{name} braucht einen Benutzer und ein Passwort, und bekam keine',
  '{name} answers with {status} and leads to another server; add that one':
    '{name} antwortet mit {status} und führt zu einem anderen Server; diesen hinzufügen',
  'the way to {name} was cut, and no answer has come over the link since':
    'der Weg zu {name} war unterbrochen, und seitdem ist keine Antwort über den Link gekommen',
  'the way to {name} was cut, and no end of the link is here, where frames could be seen':
    'der Weg zu {name} war unterbrochen, und kein Ende des Links ist hier, wo Frames zu sehen wären',
  '{name} does not take the user and password that it was added with':
    '{name} nimmt den Benutzer und das Passwort nicht, mit denen der Rechner hinzugefügt wurde',
  '{a} and {b} have no network in common': '{a} und {b} haben kein gemeinsames Netz',
  '{name} names no UDP port': '{name} nennt keinen UDP-Port',
  "{file} of the compute leads out of the node's directory":
    '{file} des Rechners führt aus dem Verzeichnis des Knotens hinaus',
  "{file} leads out of the node's directory over a link":
    '{file} führt über einen Link aus dem Verzeichnis des Knotens hinaus',
  '{file} of {compute} has the MD5 sum {sum} and was listed with {listed}: it has changed meanwhile; fetch it when its node is stopped':
    '{file} von {compute} hat die MD5-Summe {sum}, in der Liste stand {listed}: Es hat sich inzwischen geändert; bei gestopptem Knoten holen',
  'the image {name} was sent to {compute}, which does not list it':
    'Das Image {name} wurde an {compute} gesendet, aber dort steht es nicht in der Liste',
  'the image {name} has the MD5 sum {sum} at {compute} after it was sent, and {own} here ({file})':
    'Das Image {name} hat nach dem Senden bei {compute} die MD5-Summe {sum}, und hier {own} ({file})',
  '{compute} has a node {id} in project {project} already':
    '{compute} hat schon einen Knoten {id} im Projekt {project}',

  // Controllers that a compute belongs to.
  'this server was started with --no-computes': 'dieser Server wurde mit --no-computes gestartet',
  'it is this server itself, another server of its cell, or a copy of one: none of them can be its compute':
    'es ist dieser Server selbst, ein anderer Server seiner Zelle oder eine Kopie davon: Keiner davon kann sein Rechner sein',
  'this is the compute of {what}; "take": true takes it over':
    'Das ist der Rechner von {what}; "take": true übernimmt ihn',
  'it is the compute of {what}': 'es ist der Rechner von {what}',
  'controller {name} ({id}, epoch {epoch})': 'Controller {name} ({id}, Epoche {epoch})',
  'no controller has it; PUT /v2/compute/controller claims it':
    'kein Controller hat ihn; PUT /v2/compute/controller nimmt ihn',
  'epoch {epoch} is over, {now} has claimed it': 'die Epoche {epoch} ist vorbei, {now} hat ihn genommen',
  'epoch {epoch} has not claimed it yet, {now} has; PUT /v2/compute/controller':
    'die Epoche {epoch} hat ihn noch nicht genommen, {now} schon; PUT /v2/compute/controller',
  'The image {name} is missing': 'Das Image {name} fehlt',
  'No capture runs on adapter {adapter} port {port}': 'An Adapter {adapter}, Port {port} läuft kein Mitschnitt',
  'a server keeps at most {count} secrets': 'Ein Server bewahrt höchstens {count} Geheimnisse auf',
  'a server can have at most {count} {what}s': 'Ein Server kann höchstens {count} {what} haben',
  'a server can have at most {count} projects': 'Ein Server kann höchstens {count} Projekte haben',
  'a server can have at most {count} templates': 'Ein Server kann höchstens {count} Vorlagen haben',
  'a server can have at most {count} computes': 'Ein Server kann höchstens {count} Computes haben',
};
