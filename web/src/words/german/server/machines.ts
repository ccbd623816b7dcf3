/** Sentences about virtual machines: QEMU, VirtualBox and VMware, and their disks. */
export const machineRefusals: Readonly<Record<string, string>> = {
  // QEMU.
  'cdrom_image has no place: four disks take all of the IDE bus; give one of them another interface':
    'Für cdrom_image ist kein Platz: Vier Platten belegen den ganzen IDE-Bus; einer davon ein anderes Interface geben',
  'options must not have {option}: Topolog controls the machine itself':
    'options darf {option} nicht haben: Topolog steuert die Maschine selbst',
  'adapter_type {type} of adapter {number} must be the name of a device':
    'Der adapter_type {type} von Adapter {number} muss der Name eines Geräts sein',
  '{field} is not possible with this engine; set it to false': '{field} geht mit dieser Engine nicht; auf false setzen',
  '{reason}; its saved state was put aside, and it starts without it the next time':
    '{reason}; der gespeicherte Zustand wurde beiseitegelegt, beim nächsten Mal startet der Knoten ohne ihn',

  // Disks.
  '{what} {given} is not known; possible: {possible}': '{what}: {given} ist nicht bekannt; möglich: {possible}',
  'the image {file} refers to more than {count} files': 'Das Image {file} verweist auf mehr als {count} Dateien',
  '{file} refers to {part}, which is of no use: {reason}': '{file} verweist auf {part}, und das nützt nichts: {reason}',
  '{image}: {file} refers to {part}, which is of no use: {reason}':
    '{image}: {file} verweist auf {part}, und das nützt nichts: {reason}',
  '{file} refers to {part}, as {format}, which it is not': '{file} verweist auf {part} als {format}, was es nicht ist',
  '{image}: {file} refers to {part}, as {format}, which it is not':
    '{image}: {file} verweist auf {part} als {format}, was es nicht ist',
  '{file} refers to {part}, which is no path of a file': '{file} verweist auf {part}; das ist kein Pfad einer Datei',
  '{image}: {file} refers to {part}, which is no path of a file':
    '{image}: {file} verweist auf {part}; das ist kein Pfad einer Datei',
  '{file} refers to {part}, which is neither among the images nor in the project':
    '{file} verweist auf {part}; das ist weder bei den Images noch im Projekt',
  '{image}: {file} refers to {part}, which is neither among the images nor in the project':
    '{image}: {file} verweist auf {part}; das ist weder bei den Images noch im Projekt',
  '{file} is there already': '{file} gibt es schon',
  '{key} is no option of {format}': '{key} ist keine Option von {format}',
  'path must not have a NUL': 'path darf kein NUL enthalten',
  '{file} is outside {places}': '{file} liegt außerhalb von {places}',
  '{file} is a link to what is not there': '{file} ist ein Link auf etwas, das nicht da ist',
  '{name} has no disk {drive}': '{name} hat keine Platte {drive}',
  'no disk {drive}': 'keine Platte {drive}',
  'qemu-img {command}: {reason}': 'qemu-img {command}: {reason}',
  'it took longer than {seconds} s': 'es hat länger als {seconds} s gedauert',

  // VirtualBox and VMware.
  'The list of machines': 'Die Liste der Maschinen',
  'vmname: VirtualBox has no machine {name}; it has none of this user':
    'vmname: VirtualBox hat keine Maschine {name}; dieser Benutzer hat keine',
  'vmname: VirtualBox has no machine {name}; it has {others}':
    'vmname: VirtualBox hat keine Maschine {name}; es hat {others}',
  'its clone {name} is not there': 'der Klon {name} ist nicht da',
  'the clone {name} cannot be read by VirtualBox; remove it (VBoxManage unregistervm {same} --delete), and the next start makes another':
    'VirtualBox kann den Klon {name} nicht lesen; löschen (VBoxManage unregistervm {same} --delete), der nächste Start macht einen neuen',
  "the node's clone was made of another machine than vmname {name}; set vmname back, or remove the clone with all that is on it (VBoxManage unregistervm {clone} --delete)":
    'Der Klon des Knotens ist von einer anderen Maschine als vmname {name}; vmname zurücksetzen, oder den Klon mit allem darauf löschen (VBoxManage unregistervm {clone} --delete)',
  "the node's clone was made of {origin}, and vmx_path is {path}; set vmx_path back, or remove the clone with all that is on it (vmrun deleteVM {clone})":
    'Der Klon des Knotens ist von {origin}, und vmx_path ist {path}; vmx_path zurücksetzen, oder den Klon mit allem darauf löschen (vmrun deleteVM {clone})',
  '{name} is not off, and its first linked clone needs a snapshot of it; shut it down':
    '{name} ist nicht aus, und der erste verknüpfte Klon braucht einen Snapshot davon; herunterfahren',
  "adapter_type {given} is none of VirtualBox's; possible: {possible}":
    'Den adapter_type {given} hat VirtualBox nicht; möglich: {possible}',
  "adapter_type {given} is none of VMware's; possible: {possible}":
    'Den adapter_type {given} hat VMware nicht; möglich: {possible}',
  '{name} is used by another node; set linked_clone to true, or stop that node':
    '{name} benutzt ein anderer Knoten; linked_clone auf true setzen, oder den Knoten stoppen',
  '{name} has a saved state that no node has made; go on with it and shut it down, or discard it (VBoxManage discardstate {id})':
    '{name} hat einen gespeicherten Zustand, der von keinem Knoten ist; fortsetzen und herunterfahren, oder verwerfen (VBoxManage discardstate {id})',
  '{name} has a saved state that no node has made; go on with it and shut it down, or discard it (in VMware: Power Off)':
    '{name} hat einen gespeicherten Zustand, der von keinem Knoten ist; fortsetzen und herunterfahren, oder verwerfen (in VMware: Power Off)',
  '{name} runs already, started by somebody else; shut it down':
    '{name} läuft schon, von jemand anderem gestartet; herunterfahren',
  '{name} has a chipset with {has} adapters, and the node has {wanted}; set adapters to fewer, or give it another chipset (VBoxManage modifyvm {id} --chipset ich9)':
    '{name} hat einen Chipsatz mit {has} Adaptern, und der Knoten hat {wanted}; weniger adapters, oder einen anderen Chipsatz (VBoxManage modifyvm {id} --chipset ich9)',
  '{name} has a saved state with other adapters or another console than the node has now; set them back, or discard the state (VBoxManage discardstate {id})':
    '{name} hat einen gespeicherten Zustand mit anderen Adaptern oder einer anderen Konsole, als der Knoten jetzt hat; zurücksetzen, oder den Zustand verwerfen (VBoxManage discardstate {id})',
  'its machine is gone': 'die Maschine ist weg',
  'it cannot be switched off': 'sie lässt sich nicht ausschalten',
  'VMware Player makes no linked clones; set linked_clone to false, or use Workstation':
    'VMware Player macht keine verknüpften Klone; linked_clone auf false setzen, oder Workstation verwenden',
  'VMware Player cannot suspend a machine; use Workstation':
    'VMware Player kann keine Maschine anhalten; Workstation verwenden',
  '{name} has no vmnet interface to give: its links attach the adapters of a running machine by themselves':
    '{name} hat kein vmnet-Interface: Die Links verbinden die Adapter einer laufenden Maschine selbst',
  '{name} needs {needed} interfaces of vmnet{first} to vmnet{last} for its adapters, and there is none; make them with sudo vmware-netcfg (host only, with a host virtual adapter), or put "answer VNET_{number}_VIRTUAL_ADAPTER yes" and so on into /etc/vmware/networking, and then: sudo vmware-networks --stop && sudo vmware-networks --start':
    '{name} braucht {needed} Interfaces von vmnet{first} bis vmnet{last} für seine Adapter, und es gibt keines; anlegen mit sudo vmware-netcfg (host only, mit virtuellem Adapter des Hosts), oder mit "answer VNET_{number}_VIRTUAL_ADAPTER yes" und so weiter in /etc/vmware/networking, und dann: sudo vmware-networks --stop && sudo vmware-networks --start',
  '{name} needs {needed} interfaces of vmnet{first} to vmnet{last} for its adapters, and of the {count} that there are {free} are free; make them with sudo vmware-netcfg (host only, with a host virtual adapter), or put "answer VNET_{number}_VIRTUAL_ADAPTER yes" and so on into /etc/vmware/networking, and then: sudo vmware-networks --stop && sudo vmware-networks --start':
    '{name} braucht {needed} Interfaces von vmnet{first} bis vmnet{last} für seine Adapter, und von den {count}, die es gibt, sind {free} frei; anlegen mit sudo vmware-netcfg (host only, mit virtuellem Adapter des Hosts), oder mit "answer VNET_{number}_VIRTUAL_ADAPTER yes" und so weiter in /etc/vmware/networking, und dann: sudo vmware-networks --stop && sudo vmware-networks --start',
  'vmx_path {given} must be the absolute path of a file that ends with .vmx':
    'vmx_path: {given} muss der absolute Pfad einer Datei sein, die auf .vmx endet',
  'vmx_path: {file} is encrypted; take its encryption off in VMware':
    'vmx_path: {file} ist verschlüsselt; die Verschlüsselung in VMware entfernen',
  'vmx_path: there is no file {file}': 'vmx_path: Die Datei {file} gibt es nicht',
  'vmx_path: {file} cannot be read and written by the user of the server':
    'vmx_path: Der Benutzer des Servers kann {file} nicht lesen und schreiben',
  "the machine's definition file is written in {encoding} and cannot hold {value}":
    'Die Definition der Maschine ist in {encoding} geschrieben und kann {value} nicht enthalten',
  'adapter {number} of {name} is connected to {other} in the hypervisor and cannot take the link; set use_any_adapter to true, or {otherwise}':
    'Adapter {number} von {name} ist im Hypervisor mit {other} verbunden und kann den Link nicht nehmen; use_any_adapter auf true setzen, oder {otherwise}',
  '{name} has headless off, and the server has no screen (DISPLAY is not set); set headless to true':
    'Bei {name} ist headless aus, und der Server hat keinen Bildschirm (DISPLAY fehlt); headless auf true setzen',
};
