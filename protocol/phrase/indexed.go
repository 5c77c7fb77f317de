package phrase

// The palette of terminals with 256 colours, beyond the sixteen that a person may have changed: a cube of 6×6×6, and 24
// greys between black and white.
const (
	cubeStart = 16
	greyStart = 232
	greys     = 24
)

// indexed is the nearest of the 256 colours, by its number.
func indexed(c RGB) int {
	r, g, b := cubeStep(c.R), cubeStep(c.G), cubeStep(c.B)
	cube := cubeStart + 36*r + 6*g + b
	grey := greyStart + min(max((int(c.R)+int(c.G)+int(c.B))/3-3, 0)/10, greys-1)
	if far(c, unindexed(grey)) < far(c, unindexed(cube)) {
		return grey
	}
	return cube
}

// unindexed is the colour of a number from the cube or the greys, as xterm and all that came after it have it.
func unindexed(n int) RGB {
	if n >= greyStart {
		v := uint8(8 + 10*(n-greyStart))
		return RGB{v, v, v}
	}
	n -= cubeStart
	return RGB{cubeLevel(n / 36), cubeLevel(n / 6 % 6), cubeLevel(n % 6)}
}

// cubeLevel is the brightness of a step of the cube.
func cubeLevel(step int) uint8 {
	if step == 0 {
		return 0
	}
	return uint8(55 + 40*step)
}

// cubeStep is the step nearest to a brightness.
func cubeStep(v uint8) int {
	switch {
	case v < 48:
		return 0
	case v < 115:
		return 1
	}
	return (int(v) - 35) / 40
}

func far(a, b RGB) int {
	d := func(x, y uint8) int { return (int(x) - int(y)) * (int(x) - int(y)) }
	return d(a.R, b.R) + d(a.G, b.G) + d(a.B, b.B)
}
