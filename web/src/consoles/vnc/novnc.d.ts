/** The part of noVNC that is used; it comes without types. */
declare module '@novnc/novnc' {
  interface Events {
    connect: CustomEvent;
    disconnect: CustomEvent;
    clipboard: CustomEvent<{ readonly text: string }>;
    credentialsrequired: CustomEvent;
  }
  export default class RFB {
    constructor(target: HTMLElement, url: string, options?: { readonly shared?: boolean });
    scaleViewport: boolean;
    background: string;
    sendCtrlAltDel(): void;
    sendKey(keysym: number, code: string | null, isDown: boolean): void;
    clipboardPasteFrom(text: string): void;
    disconnect(): void;
    focus(): void;
    addEventListener<E extends keyof Events>(type: E, listener: (event: Events[E]) => void): void;
  }
}
