// The ruling as a voice says it, and a chime: both only where somebody switched them on.
let speaking = false;
let chiming = false;
let said = null;
let mine = false;
let sound = null;

export const speakIf = (on) => { speaking = on; };
export const chimeIf = (on) => {
  chiming = on;
  if (on) sound ??= new AudioContext();
};

export function speak(text) {
  const before = said;
  said = text;
  if (!speaking || !text || text === before || before === null || !("speechSynthesis" in window)) return;
  speechSynthesis.cancel();
  const told = new SpeechSynthesisUtterance(text);
  told.lang = document.documentElement.lang;
  speechSynthesis.speak(told);
}

export function turn(now) {
  const begins = now && !mine;
  mine = now;
  if (!begins || !chiming || !sound) return;
  sound.resume();
  [659, 880].forEach((pitch, at) => tone(pitch, sound.currentTime + at * 0.16));
  navigator.vibrate?.(120);
}

function tone(pitch, at) {
  const voice = sound.createOscillator();
  const volume = sound.createGain();
  voice.frequency.value = pitch;
  volume.gain.setValueAtTime(0.0001, at);
  volume.gain.exponentialRampToValueAtTime(0.25, at + 0.02);
  volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.5);
  voice.connect(volume).connect(sound.destination);
  voice.start(at);
  voice.stop(at + 0.5);
}
