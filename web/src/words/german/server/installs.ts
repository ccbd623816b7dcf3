/** Obstacles to starting a node, and their remedies. Commands are the same in every language. */
export const installs: Readonly<Record<string, string>> = {
  // Needs.
  'an engine': 'eine Engine',
  'image {name}': 'das Image {name}',
  'the image {name}': 'das Image {name}',
  'an image, and the licence that it asks for': 'ein Image, und die Lizenz, die es verlangt',
  "VirtualBox's kernel module vboxdrv": 'das Kernelmodul vboxdrv von VirtualBox',
  'VirtualBox 5 or newer': 'VirtualBox 5 oder neuer',
  'UEFI firmware for {platform}': 'UEFI-Firmware für {platform}',
  '{program} or {other}': '{program} oder {other}',
  'QEMU {least} or newer ({file} is {version})': 'QEMU {least} oder neuer ({file} ist {version})',
  'koffi for its ports': 'koffi für seine Ports',
  'Linux for its adapters': 'Linux für seine Adapter',
  'namespaces for VPCS, which could run programs of this machine without them':
    'Namespaces für VPCS, das ohne sie Programme dieser Maschine ausführen könnte',
  'the engine {engine} for port {port} of type {type}': 'die Engine {engine} für Port {port} vom Typ {type}',
  'port {port} of type {type}': 'Port {port} vom Typ {type}',
  'ethernet ports': 'Ethernet-Ports',
  'tap ports': 'TAP-Ports',
  'its adapters': 'die Adapter',
  'a NAT by the kernel': 'ein NAT des Kernels',
  'a NAT without privileges': 'ein NAT ohne Privilegien',
  'the namespaces in which VPCS runs': 'die Namespaces, in denen VPCS läuft',
  'an interface for {what}': 'ein Interface für {what}',
  'a TAP device for {what}': 'ein TAP-Gerät für {what}',
  'the interface {name} for {what}': 'das Interface {name} für {what}',
  'the interface {name} up for {what}': 'das Interface {name} für {what}, und zwar aktiv',
  '{names} for {what}': '{names} für {what}',
  'root for {what} ({lacking})': 'root für {what} ({lacking})',
  'a container service on this machine ({named} is not a unix socket)':
    'einen Containerdienst auf dieser Maschine ({named} ist kein Unix-Socket)',
  'a container service (none answers at {sockets})': 'einen Containerdienst (bei {sockets} antwortet keiner)',

  // Remedies.
  'run the server on Linux, in a virtual machine if need be':
    'den Server unter Linux ausführen, notfalls in einer virtuellen Maschine',
  'run the server on Linux, or set the adapters of the node to 0':
    'den Server unter Linux ausführen, oder die Adapter des Knotens auf 0 setzen',
  'start the server as root (sudo topolog serve), or {back}':
    'den Server als root starten (sudo topolog serve), oder {back}',
  'make udp ports of them, or set properties.engine to "simulated" to go on without it':
    'daraus UDP-Ports machen, oder ohne sie weitermachen: properties.engine auf "simulated" setzen',
  'set the adapters of the container to 0': 'die Adapter des Containers auf 0 setzen',
  'set the adapters of the node to 0': 'die Adapter des Knotens auf 0 setzen',
  'use one that needs no root: apt-get install libslirp-helper socat':
    'eine verwenden, die kein root braucht: apt-get install libslirp-helper socat',
  'start the server as root (sudo topolog serve), permit unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1 kernel.apparmor_restrict_unprivileged_userns=0), or use the engine embedded':
    'den Server als root starten (sudo topolog serve), User-Namespaces ohne Privilegien erlauben (sysctl kernel.unprivileged_userns_clone=1 kernel.apparmor_restrict_unprivileged_userns=0), oder die Engine embedded verwenden',
  'this version of Topolog has none for this kind; set properties.engine to "simulated" to go on without it':
    'diese Version von Topolog hat keine für diese Art; ohne sie weitermachen: properties.engine auf "simulated" setzen',
  'leave properties.engine out, or set it to "{engine}"': 'properties.engine weglassen, oder auf "{engine}" setzen',
  '{name} cannot be the name of an interface': '{name} kann nicht der Name eines Interfaces sein',
  '{name} is none; name another, or make it an ethernet port':
    '{name} ist keines; ein anderes nennen, oder einen Ethernet-Port daraus machen',
  'this machine has none of that name: ip link shows those that it has':
    'diese Maschine hat keines mit diesem Namen: ip link zeigt, welche sie hat',
  'put the image into {place}': 'das Image nach {place} legen',
  'put the image into {place} and its licence into ~/.iourc, or send that with the start':
    'das Image nach {place} und seine Lizenz nach ~/.iourc legen, oder diese beim Start mitgeben',
  'npm install koffi, in the directory of this server': 'npm install koffi, im Verzeichnis dieses Servers',
  'set DOCKER_HOST or --docker-host to unix:///path': 'DOCKER_HOST oder --docker-host auf unix:///pfad setzen',
  'apt-get install podman && systemctl enable --now podman.socket (or apt-get install docker.io), or name its socket with --docker-host unix:///path':
    'apt-get install podman && systemctl enable --now podman.socket (oder apt-get install docker.io), oder seinen Socket nennen: --docker-host unix:///pfad',
  'install VirtualBox (Debian and Ubuntu: the package virtualbox-7.1 of the repository that https://www.virtualbox.org/wiki/Linux_Downloads names; others: https://www.virtualbox.org/wiki/Downloads), so that VBoxManage is in the PATH':
    'VirtualBox installieren, sodass VBoxManage im PATH ist (Debian und Ubuntu: das Paket virtualbox-7.1 aus dem Repository, das https://www.virtualbox.org/wiki/Linux_Downloads nennt; sonst: https://www.virtualbox.org/wiki/Downloads)',
  'install VirtualBox from virtualbox.org, so that VBoxManage is in the PATH':
    'VirtualBox von virtualbox.org installieren, sodass VBoxManage im PATH ist',
  'load it (sudo modprobe vboxdrv), or build it first (sudo /sbin/vboxconfig)':
    'laden (sudo modprobe vboxdrv), oder erst bauen (sudo /sbin/vboxconfig)',
  'install VMware Workstation or Player with VIX, so that vmrun is in the PATH':
    'VMware Workstation oder Player mit VIX installieren, sodass vmrun im PATH ist',
  'install VMware Workstation Pro (sudo sh VMware-Workstation-Full-<version>.bundle, from https://support.broadcom.com; Player needs the VIX API beside it), so that vmrun is in the PATH':
    'VMware Workstation Pro installieren (sudo sh VMware-Workstation-Full-<version>.bundle, von https://support.broadcom.com; Player braucht dazu die VIX API), sodass vmrun im PATH ist',
  'install Dynamips, with apt-get install dynamips where the distribution has it, or from its source at github.com/GNS3/dynamips':
    'Dynamips installieren, mit apt-get install dynamips, wo die Distribution es hat, oder aus dem Quelltext bei github.com/GNS3/dynamips',
};
