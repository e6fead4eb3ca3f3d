// Shows what an element's title says beside the pointer: at once, and where a finger touches.
const tip = document.body.appendChild(document.createElement("div"))
tip.className = "tip"
tip.hidden = true
const texts = new WeakMap()
const show = event => {
    // A finger that moves keeps the element where it began.
    const mark = document.elementFromPoint(event.clientX, event.clientY) ?? event.target
    const title = mark.matches("svg *") && mark.querySelector(":scope > title")
    if (title) {
        // Else the browser would show it, too.
        texts.set(mark, title.textContent)
        title.remove()
    }
    tip.hidden = !texts.has(mark)
    if (tip.hidden) return
    tip.textContent = texts.get(mark)
    const left = Math.min(event.clientX + 12, document.documentElement.clientWidth - tip.offsetWidth - 4)
    const isHigh = event.clientY > tip.offsetHeight + 16
    tip.style.left = `${Math.max(4, left)}px`
    tip.style.top = `${isHigh ? event.clientY - tip.offsetHeight - 12 : event.clientY + 16}px`
}
const hide = () => { tip.hidden = true }
document.addEventListener("pointerdown", show)
document.addEventListener("pointermove", show)
document.addEventListener("scroll", hide, true)
document.documentElement.addEventListener("pointerleave", hide)
