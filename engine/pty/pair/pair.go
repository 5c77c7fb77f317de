// Package pair opens pseudo-terminals: our end, as a descriptor, and the program's ([Open]), and the program's once more ([Again]).
//
// On Linux it isn't creack/pty's Open that does. Up to v1.1.24 that keeps the address of a variable as a number across calls that may
// move the stack (its pull request 215), and on a busy machine now and then took 0 for the number of its terminal: the program
// then wrote to somebody else's. Here the program's end is asked of the terminal itself, which no name can be wrong about; so it is
// found too where /dev/pts isn't the one that /dev/ptmx belongs to. On other systems it is creack/pty.
//
// What the package doesn't do: it sets no size and no mode, starts nothing, and reads nothing.
package pair
